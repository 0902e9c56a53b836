import { isSystemRole } from '#contract/access/role.ts'
import type { Session } from '#kernel/http/context.ts'
import { isRuled, valuesInScope } from '#kernel/http/row-scope.ts'

/** Roles that see every sign-up of their tenant; everybody else the units of their own codes (domain 2.1). */
const seesAll = ['administrator', 'admin', 'exam_admin', 'auditor', 'reviewer1', 'reviewer2'] as const

/** Re-reviewers take along who is on the shortlist and nobody else, unless they run the office or a unit: other roles that read more take nothing (domain 2.1). */
export const takesShortlistedOnly = ({ roleAliases }: Session): boolean =>
  roleAliases.has('recheck') && !['administrator', 'admin', 'exam_admin', 'unit_hr'].some(role => roleAliases.has(role))
/** They see who is or was on the shortlist, unless another role reads more. */
export const seesShortlistedOnly = (session: Session): boolean =>
  takesShortlistedOnly(session) && !seesAll.some(role => session.roleAliases.has(role))

/** Rows of the program's roles follow from what those are; a tenant's own roles see what their rules say and nothing else decides. */
const isByRulesOnly = (session: Session): boolean => isRuled(session, 'signup') && ![...session.roleAliases].some(isSystemRole)

/** Units a person is narrowed to; undefined means the whole tenant. */
export const unitsOf = (session: Session): readonly string[] | undefined =>
  valuesInScope(
    session,
    'signup',
    'unit',
    seesAll.some(role => session.roleAliases.has(role)) || isByRulesOnly(session) ? null : session.userCodes,
  ) ?? undefined

/** Whether a member of staff may see a sign-up at all; what is not visible is answered like what does not exist. */
export const maySee = (
  session: Session,
  signup: { readonly unit: string | null; readonly examine: string; readonly shortlist: number },
): boolean => {
  if (signup.examine === 'draft' || (seesShortlistedOnly(session) && signup.shortlist === 0)) return false
  const units = unitsOf(session)
  return units === undefined || (signup.unit !== null && units.includes(signup.unit))
}
