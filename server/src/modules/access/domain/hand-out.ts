import { apartRoles, keeperRoles } from '#contract/access/role.ts'
import { copiesOf, type KeptRight, mayGiveKept } from './kept-rights.ts'

/** A role with what it holds, as far as handing it out goes. */
export interface RoleRights {
  readonly id: string
  readonly roleName: string
  /** Empty: the same as the name. */
  readonly roleNameEn: string
  readonly roleAlias: string
  readonly menuIds: readonly string[]
  readonly kept: readonly KeptRight[]
}
/** Whoever hands rights out. */
export interface Granter {
  readonly aliases: ReadonlySet<string>
  readonly menuIds: ReadonlySet<string>
}

/** The menus and buttons of `wanted` that are not among one's own. */
export const beyondOwn = (own: ReadonlySet<string>, wanted: Iterable<string>): readonly string[] => [...wanted].filter(id => !own.has(id))

/**
 * Whether this is one of the three and kept apart from what somebody holds (ADR 0109): they neither make, change nor remove whoever holds it, nor the
 * role. An administrator who can make or lock the auditor audits themselves.
 */
export const isOtherDuty = (own: ReadonlySet<string>, alias: string): boolean => apartRoles.includes(alias) && !own.has(alias)

/**
 * Whether this person may give this role to others, and do anything to people who hold it. Nobody changes their own roles, so a keeper is not
 * widened by handing out what they do not hold.
 */
export const mayHandOut = (granter: Granter, role: RoleRights): boolean => isWithin(granter, role) && !isApart(granter, role)

/** Whether a role is kept apart from somebody: by its name, or because it carries a copy of rights that are not theirs to give (ADR 0116). */
export const isApart = (granter: Granter, role: RoleRights): boolean =>
  isOtherDuty(granter.aliases, role.roleAlias) || copiesOf(role).some(right => !mayGiveKept(granter, right))

/** The same without what is kept apart. */
export const isWithin = (granter: Granter, role: RoleRights): boolean => {
  if (role.roleAlias === 'administrator') return granter.aliases.has('administrator')
  if (keeperRoles.some(alias => granter.aliases.has(alias))) return true
  return beyondOwn(granter.menuIds, role.menuIds).length === 0
}
