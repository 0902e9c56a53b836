import { apartRoles, keeperRoles } from '#contract/system/role.ts'

/** A role with what it holds, as far as handing it out goes. */
export interface RoleRights {
  readonly id: string
  readonly roleName: string
  /** Empty: the same as the name. */
  readonly roleNameEn: string
  readonly roleAlias: string
  readonly menuIds: readonly string[]
}
/** Whoever hands rights out. */
export interface Granter {
  readonly aliases: ReadonlySet<string>
  readonly menuIds: ReadonlySet<string>
}

/** The menus and buttons of `wanted` that are not among one's own. */
export const beyondOwn = (own: ReadonlySet<string>, wanted: Iterable<string>): readonly string[] => [...wanted].filter(id => !own.has(id))

/**
 * Whether this role is kept apart from what somebody holds (ADR 0109): they neither make, change nor remove whoever holds it, nor the role. An
 * administrator who can make or lock the auditor audits themselves.
 */
export const isApart = (own: ReadonlySet<string>, alias: string): boolean => apartRoles.includes(alias) && !own.has(alias)

/**
 * Whether this person may give this role to others, and do anything to people who hold it. Nobody changes their own roles, so a keeper is not
 * widened by handing out what they do not hold.
 */
export const mayHandOut = (granter: Granter, role: RoleRights): boolean =>
  isWithin(granter, role) && !isApart(granter.aliases, role.roleAlias)

/** The same without what is kept apart. */
export const isWithin = (granter: Granter, role: RoleRights): boolean => {
  if (role.roleAlias === 'administrator') return granter.aliases.has('administrator')
  if (keeperRoles.some(alias => granter.aliases.has(alias))) return true
  return beyondOwn(granter.menuIds, role.menuIds).length === 0
}

/** Roles that one person may not hold together. */
export const breaksSeparation = (aliases: readonly string[]): boolean => aliases.filter(alias => apartRoles.includes(alias)).length > 1
