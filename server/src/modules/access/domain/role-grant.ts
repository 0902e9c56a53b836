import { keeperRoles } from '#contract/access/role.ts'
import { isOtherDuty } from './hand-out.ts'
import { mayGiveKept } from './kept-rights.ts'

interface Placed {
  readonly id: string
  readonly parentId: string
  readonly roleAlias: string
}
/** Who changes roles. */
export interface RoleKeeper {
  readonly roleIds: readonly string[]
  readonly roleAliases: ReadonlySet<string>
  /** Of the platform's own tenant. */
  readonly isPlatform: boolean
}

const isOperator = (keeper: RoleKeeper): boolean => keeper.isPlatform && keeper.roleAliases.has('administrator')
/** Whether somebody may hand out all of the tenant's rights, and not only their own. */
export const isKeeper = (keeper: RoleKeeper): boolean => keeperRoles.some(alias => keeper.roleAliases.has(alias))

const isBelow = (roleId: string, above: readonly string[], all: ReadonlyMap<string, Placed>): boolean => {
  const seen = new Set<string>()
  for (let at = all.get(roleId)?.parentId; at !== undefined && at !== '0' && !seen.has(at); at = all.get(at)?.parentId) {
    if (above.includes(at)) return true
    seen.add(at)
  }
  return false
}

/**
 * Whether a role is in this person's hands. The platform's operators are nobody else's business; who keeps the tenant's rights has every
 * other role; everybody else the roles below their own.
 */
export const mayRule = (keeper: RoleKeeper, role: Placed, all: ReadonlyMap<string, Placed>): boolean => {
  if (role.roleAlias === 'administrator') return isOperator(keeper)
  return isKeeper(keeper) || isBelow(role.id, keeper.roleIds, all)
}
/** Whether this person may change a role: one in their hands, and never one that is kept apart from theirs. */
export const mayManage = (keeper: RoleKeeper, role: Placed, all: ReadonlyMap<string, Placed>): boolean =>
  mayRule(keeper, role, all) && !isOtherDuty(keeper.roleAliases, role.roleAlias)

/** Whose fields of the three somebody of the three rules: nobody narrows what those see who watch over them. */
const fieldsRuledBy: Readonly<Record<string, readonly string[]>> = { admin: ['admin', 'secadmin'], secadmin: ['secadmin'], auditor: [] }
/** Whether this person may change what a role sees of fields (ADR 0116). */
export const mayRuleFields = (keeper: RoleKeeper, role: Placed, all: ReadonlyMap<string, Placed>): boolean =>
  mayRule(keeper, role, all) && (fieldsRuledBy[role.roleAlias]?.some(alias => keeper.roleAliases.has(alias)) ?? true)

/** Whether a new role may stand here: keepers put it anywhere, everybody else under a role of their own or below. */
export const mayPlace = (keeper: RoleKeeper, parentId: string, all: ReadonlyMap<string, Placed>): boolean =>
  isKeeper(keeper) || keeper.roleIds.includes(parentId) || isBelow(parentId, keeper.roleIds, all)

/** A menu as far as granting goes. */
export interface Grantable {
  readonly id: string
  readonly isPlatform: number
  /** Who has it by the seed, where it is kept apart (ADR 0116). */
  readonly who?: readonly string[] | undefined
}

/**
 * What this person may give to others and take from them: a keeper the tenant's menus, the platform's operator all, others what they hold; of what is
 * kept apart only what is theirs by their own role.
 */
export const ceilingOf = (keeper: RoleKeeper, menus: readonly Grantable[], own: ReadonlySet<string>): ReadonlySet<string> => {
  const giver = { aliases: keeper.roleAliases, menuIds: own }
  return new Set(
    menus
      .filter(menu => isOperator(keeper) || (isKeeper(keeper) ? menu.isPlatform === 0 : own.has(menu.id)))
      .filter(({ id, who }) => who === undefined || mayGiveKept(giver, { id, who }))
      .map(menu => menu.id),
  )
}

export interface SetChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Asked for, not held, and beyond what the granter may give. */
  readonly beyond: readonly string[]
}

/** The change from what a role holds to what is wished. What lies beyond the ceiling and is held stays, whether or not it was named. */
export const changeOf = (held: ReadonlySet<string>, wished: ReadonlySet<string>, ceiling: ReadonlySet<string>): SetChange => ({
  added: [...wished].filter(id => !held.has(id) && ceiling.has(id)),
  removed: [...held].filter(id => !wished.has(id) && ceiling.has(id)),
  beyond: [...wished].filter(id => !held.has(id) && !ceiling.has(id)),
})
