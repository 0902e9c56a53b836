/** Roles that see a whole examination (domain 2.1). Everybody else sees the units whose codes stand on their account. */
const wideRoles: readonly string[] = ['administrator', 'admin', 'exam_admin', 'auditor', 'finance']

/** Unit codes that narrow what somebody sees; null = nothing is narrowed. No code on a narrow account means no row at all. */
export type UnitScope = readonly string[] | null

/** A second, wider role widens the view: it is the sum of what the roles allow. */
export const unitScopeOf = (session: { readonly roleAliases: ReadonlySet<string>; readonly userCodes: readonly string[] }): UnitScope =>
  wideRoles.some(alias => session.roleAliases.has(alias)) ? null : session.userCodes
