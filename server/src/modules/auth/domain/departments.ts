/** Roles that reach the examinations of the whole tenant, whatever else somebody holds beside them. */
const wideRoles: readonly string[] = ['administrator', 'admin']

/**
 * Departments that narrow what somebody reaches: an examination administrator has the examinations of their own departments and those below
 * (domain 2.1). What a person may do is the sum of their roles, so another role beside this one widens nothing unless it runs the tenant: with
 * the rows of finance and the buttons of an examination administrator somebody would manage every examination there is (ADR 0053).
 *
 * @param deptId - as a session has it, comma-joined
 * @returns null when nothing is narrowed; an empty list for somebody of no department
 */
export const departmentsOf = (roleAliases: readonly string[], deptId: string | null): readonly string[] | null =>
  roleAliases.includes('exam_admin') && !wideRoles.some(role => roleAliases.includes(role))
    ? (deptId ?? '').split(',').filter(id => /^\d{1,18}$/.test(id))
    : null
