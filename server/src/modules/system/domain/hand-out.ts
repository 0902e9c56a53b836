import { keeperRoles } from '#contract/system/role.ts'

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

/** Of these one person holds one (domain 2.1). */
const apartRoles: readonly string[] = ['admin', 'secadmin', 'auditor']
/** The menus and buttons of `wanted` that are not among one's own. */
export const beyondOwn = (own: ReadonlySet<string>, wanted: Iterable<string>): readonly string[] => [...wanted].filter(id => !own.has(id))

/**
 * Whether this person may give this role to others, and do anything to people who hold it. Nobody changes their own roles, so a keeper is not
 * widened by handing out what they do not hold.
 */
export const mayHandOut = (granter: Granter, role: RoleRights): boolean => {
  if (role.roleAlias === 'administrator') return granter.aliases.has('administrator')
  if (keeperRoles.some(alias => granter.aliases.has(alias))) return true
  return beyondOwn(granter.menuIds, role.menuIds).length === 0
}

/**
 * Whether getting into this person's account would make one person of two that are kept apart: whoever resets a password can log in with it, and
 * an administrator who works as the auditor audits themselves (ADR 0055).
 */
export const wouldJoin = (own: ReadonlySet<string>, theirs: readonly string[]): boolean =>
  theirs.some(alias => apartRoles.includes(alias) && !own.has(alias))

/** Roles that one person may not hold together. */
export const breaksSeparation = (aliases: readonly string[]): boolean => aliases.filter(alias => apartRoles.includes(alias)).length > 1
