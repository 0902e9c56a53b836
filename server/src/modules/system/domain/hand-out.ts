/** A role with what it holds, as far as handing it out goes. */
export interface RoleRights {
  readonly id: string
  readonly roleName: string
  readonly roleAlias: string
  readonly menuIds: readonly string[]
}
/** Whoever hands rights out. */
export interface Granter {
  readonly aliases: ReadonlySet<string>
  readonly menuIds: ReadonlySet<string>
}

/** Of these one person holds one (domain 2.1). */
const apart: readonly string[] = ['admin', 'secadmin', 'auditor']
/**
 * Who runs the accounts of a tenant hands out rights that separation of duties keeps from themselves: an administrator makes reviewers
 * and may not review (domain 2.2). Nobody changes their own roles, so this widens nobody.
 */
const runsTenant: readonly string[] = ['administrator', 'admin', 'secadmin']

/** The menus and buttons of `wanted` that are not among one's own. */
export const beyondOwn = (own: ReadonlySet<string>, wanted: Iterable<string>): readonly string[] => [...wanted].filter(id => !own.has(id))

/** Whether this person may give this role to others, and do anything to people who hold it. */
export const mayHandOut = (granter: Granter, role: RoleRights): boolean => {
  if (role.roleAlias === 'administrator') return granter.aliases.has('administrator')
  if (runsTenant.some(alias => granter.aliases.has(alias))) return true
  return beyondOwn(granter.menuIds, role.menuIds).length === 0
}

/** Roles that one person may not hold together. */
export const breaksSeparation = (aliases: readonly string[]): boolean => aliases.filter(alias => apart.includes(alias)).length > 1
