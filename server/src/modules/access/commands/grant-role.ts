import type { MenuWire } from '#contract/access/menu.routes.ts'
import { refuseRole } from '#contract/access/role.errors.ts'
import type { role } from '#contract/access/role.routes.ts'
import { grantingCodes, loneRoles } from '#contract/access/role.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { ruledNouns } from '#contract/registry.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { listAllMenus, listKept } from '../data/menu-admin.repo.ts'
import { changeHeld, type Held, listHeld, listScopes, lockRoles, type RoleRow } from '../data/role.repo.ts'
import { holdersWithOthers, menusOfWork } from '../data/role-rights.repo.ts'
import { isTorn } from '../domain/kept-rights.ts'
import { ceilingOf, changeOf, isKeeper, mayManage, type RoleKeeper } from '../domain/role-grant.ts'
import { roleTitle } from '../domain/role-title.ts'

/** Whoever keeps roles, as the decisions about it ask. */
export const keeperOf = (session: Session): RoleKeeper => ({
  roleIds: session.roleIds,
  roleAliases: session.roleAliases,
  isPlatform: session.tenantId === platformTenant,
})

/** The menus this person may give to others. */
export const ceilingFor = async (db: TenantDb, keeper: RoleKeeper): Promise<ReadonlySet<string>> => {
  const own = new Set([...(await listHeld(db, 'menu', keeper.roleIds)).values()].flatMap(ids => [...ids]))
  const kept = await listKept(db)
  return ceilingOf(
    keeper,
    (await listAllMenus(db)).map(menu => ({ ...menu, who: kept.get(menu.id) })),
    own,
  )
}

/** How many names a refusal lists. */
const named = 5
const namesOf = (names: readonly Label[]): Label => {
  const rest = names.length > named ? ` … (${names.length})` : ''
  const first = names.slice(0, named)
  return { zh: first.map(name => name.zh).join('、') + rest, en: first.map(name => name.en).join(', ') + rest }
}
/** Every menu has buttons of the same names, so a button is named with its menu. */
const titlesOf = (menus: readonly MenuWire[]): ReadonlyMap<string, Label> => {
  const byId = new Map(menus.map(menu => [menu.id, menu]))
  return new Map(
    menus.map(({ id, parentId, category, name, nameEn }) => {
      const above = category === 2 ? byId.get(parentId) : undefined
      return [id, above ? { zh: `${above.name} › ${name}`, en: `${above.nameEn} › ${nameEn}` } : { zh: name, en: nameEn }]
    }),
  )
}
/** Names of menus and buttons by id, each with all menus above it, as the trail keeps them. */
export const menuTitles = (menus: readonly MenuWire[]): ReadonlyMap<string, Label> => {
  const byId = new Map(menus.map(menu => [menu.id, menu]))
  const titleOf = ({ parentId, name, nameEn }: MenuWire, seen: ReadonlySet<string>): Label => {
    const above = seen.has(parentId) ? undefined : byId.get(parentId)
    if (!above) return { zh: name, en: nameEn }
    const before = titleOf(above, new Set([...seen, parentId]))
    return { zh: `${before.zh} › ${name}`, en: `${before.en} › ${nameEn}` }
  }
  return new Map(menus.map(menu => [menu.id, titleOf(menu, new Set([menu.id]))]))
}

interface Wish {
  readonly what: Held
  readonly ids: ReadonlySet<string>
  readonly known: ReadonlyMap<string, string>
  readonly ceiling: ReadonlySet<string>
}

const wishesOf = async (db: TenantDb, keeper: RoleKeeper, input: InputOf<typeof role.grant>): Promise<readonly Wish[]> => {
  const menus = await listAllMenus(db)
  const wishes: Wish[] = [
    {
      what: 'menu',
      ids: new Set(input.menuIds),
      known: new Map(menus.map(menu => [menu.id, menu.name])),
      ceiling: await ceilingFor(db, keeper),
    },
  ]
  for (const [what, ids] of [
    ['dataScope', input.dataScopeIds],
    ['apiScope', input.apiScopeIds],
  ] as const) {
    if (ids === undefined) continue
    const known = new Map((await listScopes(db, what)).map(scope => [scope.id, scope.name]))
    wishes.push({ what, ids: new Set(ids), known, ceiling: new Set(isKeeper(keeper) ? known.keys() : []) })
  }
  return wishes
}

/** Refuses to join in one role, or in one person, what the seed keeps apart (ADR 0116). */
const refuseTorn = async (
  db: TenantDb,
  role: RoleRow,
  after: ReadonlySet<string>,
  kept: ReadonlyMap<string, readonly string[]>,
  what: Label,
): Promise<void> => {
  const rights = [...after].flatMap(id => {
    const who = kept.get(id)
    return who === undefined ? [] : [{ id, who }]
  })
  const self = { roleAlias: role.roleAlias, kept: rights }
  if (isTorn([self])) throw new Refused(refuseRole('role/apart', { who: roleTitle(role), what }))
  for (const { account, roles } of await holdersWithOthers(db, role.id))
    if (isTorn([self, ...roles.filter(other => other.id !== role.id)])) throw new Refused(refuseRole('role/apart', { who: account, what }))
}

/** Refuses to let a role give rights that does other work, by itself or together with another role of somebody who holds it (ADR 0271). */
const refuseWorking = async (
  db: TenantDb,
  role: RoleRow,
  after: ReadonlySet<string>,
  grants: readonly string[],
  nameOf: (id: string) => Label,
) => {
  if (grants.length === 0) return
  const what = namesOf(grants.map(nameOf))
  const work = [...(await menusOfWork(db, [...after]))]
  if (work.length > 0) throw new Refused(refuseRole('role/works', { role: roleTitle(role), what, work: namesOf(work.map(nameOf)) }))
  const [holder] = await holdersWithOthers(db, role.id)
  if (holder) throw new Refused(refuseRole('role/not-alone', { role: roleTitle(role), what, account: holder.account }))
}

/**
 * Replaces what roles hold (S6.04). Nobody gives or takes what is beyond their own rights, nobody changes a role they hold themselves, and a
 * batch with one role or right that cannot be changed does nothing.
 */
export const grantRoles = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof role.grant>): Promise<{ changed: number } | Refusal> => {
  const { session } = ctx
  if (!session) throw new Refused(refuse('kernel/no-token', {}))
  const keeper = keeperOf(session)
  const all = new Map((await lockRoles(db)).map(row => [row.id, row]))
  const roles: RoleRow[] = []
  for (const id of new Set(input.roleIds)) {
    const found = all.get(id)
    if (!found) return refuse('kernel/not-found', {})
    if (!mayManage(keeper, found, all)) return refuseRole('role/not-yours', { role: roleTitle(found) })
    if (session.roleIds.includes(id)) return refuseRole('role/own', { role: roleTitle(found) })
    roles.push(found)
  }
  const wishes = await wishesOf(db, keeper, input)
  if (wishes.some(({ ids, known }) => [...ids].some(id => !known.has(id)))) return refuse('kernel/not-found', {})
  const menus = await listAllMenus(db)
  const codes = new Map(menus.map(menu => [menu.id, menu.code]))
  const titles = titlesOf(menus)
  const paths = menuTitles(menus)
  const kept = await listKept(db)
  const narrowed = new Set([
    ...session.rowRules.filter(({ resource }) => !session.wideResources.includes(resource)).map(({ resource }) => `${resource}_view`),
    ...ruledNouns
      .filter(noun => Object.keys(noun.fields).some(field => session.fieldRules[`${noun.code}.${field}`]))
      .flatMap(noun => noun.views),
  ])
  let changed = 0
  for (const { what, ids, known, ceiling } of wishes) {
    const held = await listHeld(
      db,
      what,
      roles.map(({ id }) => id),
    )
    const titleOf = (one: string): Label => {
      const name = known.get(one) ?? one
      return (what === 'menu' && titles.get(one)) || { zh: name, en: name }
    }
    for (const row of roles) {
      const { id, roleName } = row
      const before = held.get(id) ?? new Set<string>()
      const change = changeOf(before, ids, ceiling)
      const isSame = ids.size === before.size && [...ids].every(one => before.has(one))
      if (what !== 'menu' && !isKeeper(keeper)) {
        if (!isSame) return refuseRole('role/scopes-by-keepers', {})
        continue
      }
      // Who keeps the tenant's rights lacks these only because they are another's duty.
      const apart = what === 'menu' ? change.beyond.filter(one => kept.has(one)) : []
      if (apart.length > 0 && isKeeper(keeper)) return refuseRole('role/rights-apart', { what: namesOf(apart.map(titleOf)) })
      if (change.beyond.length > 0) return refuseRole('role/beyond-own', { what: namesOf(change.beyond.map(titleOf)) })
      // Who sees a noun in part, its rows or its fields, does not let others see it whole.
      const whole = isKeeper(keeper) ? [] : change.added.filter(one => narrowed.has(codes.get(one) ?? ''))
      if (what === 'menu' && whole.length > 0) return refuseRole('role/beyond-own', { what: namesOf(whole.map(titleOf)) })
      if (change.added.length + change.removed.length === 0) continue
      const gained = what === 'menu' ? change.added.filter(one => kept.has(one)) : []
      if (gained.length > 0) {
        const after = new Set([...before, ...change.added].filter(one => !change.removed.includes(one)))
        await refuseTorn(db, row, after, kept, namesOf(gained.map(titleOf)))
      }
      if (what === 'menu' && change.added.length > 0) {
        const after = new Set([...before, ...change.added].filter(one => !change.removed.includes(one)))
        const grants = [...after].filter(one => grantingCodes.includes(codes.get(one) ?? ''))
        await refuseWorking(db, row, after, loneRoles.includes(row.roleAlias) ? [] : grants, titleOf)
      }
      await changeHeld(db, what, id, change)
      changed += 1
      const names = (list: readonly string[]) =>
        list.map(one => ({
          id: one,
          name: titleOf(one).zh,
          ...(what === 'menu' ? { name: paths.get(one)?.zh ?? '', code: codes.get(one) ?? '' } : {}),
        }))
      await audit(db, ctx, {
        action: 'role.granted',
        entity: 'role',
        entityId: id,
        before: { role: roleName, what, count: before.size },
        after: { added: names(change.added), removed: names(change.removed) },
      })
    }
  }
  return { changed }
}
