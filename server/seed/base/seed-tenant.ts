import { platformTenant } from '#contract/kernel/platform.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { declaredDictionaries, dictionarySeeds } from './dictionaries.ts'
import { seedLibrary } from './library.ts'
import type { MenuSeed } from './menu-seed.ts'
import { menuSeeds, type RoleAlias, roleAliases, roleNames } from './menus.ts'
import { parameterSeeds } from './parameters.ts'
import { seedDigest } from './seed-digest.ts'
import { topMenuSeeds } from './top-menus.ts'
import { watchRuleSeeds } from './watch-rules.ts'

interface FlatMenu {
  readonly code: string
  readonly parent: string
  readonly zh: string
  readonly en: string
  readonly path: string
  readonly icon: string
  readonly sort: number
  readonly category: 1 | 2
  readonly roles: readonly RoleAlias[]
}

const flatten = (seeds: readonly MenuSeed[], parent = ''): FlatMenu[] =>
  seeds.flatMap((seed, index) => [
    {
      code: seed.code,
      parent,
      zh: seed.zh,
      en: seed.en,
      path: seed.path,
      icon: seed.icon,
      sort: index + 1,
      category: 1 as const,
      roles: seed.roles,
    },
    ...(seed.buttons ?? []).map(([action, zh, en, roles], at) => ({
      code: `${seed.code}_${action}`,
      parent: seed.code,
      zh,
      en,
      path: '',
      icon: '',
      sort: at + 1,
      category: 2 as const,
      roles,
    })),
    ...flatten(seed.children ?? [], seed.code),
  ])

/** Held by the platform's administrator and nobody else from the start; other tenants do not have such menus at all. */
const isPlatform = ({ roles }: FlatMenu): boolean => roles.length > 0 && roles.every(role => role === 'administrator')

/**
 * Menus and what the roles hold of them. Only new menus and new roles get grants: what an administrator took from a role stays taken at the
 * next start, and a menu that was moved stays where it is.
 *
 * @returns the ids of menus that were not there before
 */
const insertMenus = async (db: TenantDb, newRoles: readonly string[]): Promise<readonly string[]> => {
  const menus = flatten(menuSeeds).filter(menu => db.actor.tenantId === platformTenant || !isPlatform(menu))
  const column = <K extends keyof FlatMenu>(key: K): FlatMenu[K][] => menus.map(menu => menu[key])
  const added = await db.all(sql<{ id: string }>`
    insert into menu (tenant_id, code, name, name_en, alias, path, source, sort, category, action, is_system)
    select ${db.actor.tenantId}, code, name, name_en, code, path, source, sort, category, case when category = 2 then 2 else 0 end, true
    from unnest(${column('code')}::text[], ${column('zh')}::text[], ${column('en')}::text[], ${column('path')}::text[], ${column('icon')}::text[], ${column('sort')}::int[], ${column('category')}::int[])
      as m(code, name, name_en, path, source, sort, category)
    where not exists (select 1 from menu x where x.code = m.code and not x.is_deleted)
    returning id::text as id`)
  await db.run(sql`
    update menu c set parent_id = p.id
    from unnest(${column('code')}::text[], ${column('parent')}::text[]) as m(code, parent) join menu p on p.code = m.parent
    where c.code = m.code and c.parent_id = 0 and c.id = any(${added.map(({ id }) => id)}::bigint[])`)
  await db.run(sql`
    update menu c set is_system = true, is_platform = m.is_platform
    from unnest(${column('code')}::text[], ${menus.map(isPlatform)}::bool[]) as m(code, is_platform)
    where c.code = m.code and not c.is_deleted and (not c.is_system or c.is_platform <> m.is_platform)`)
  const grants = menus.flatMap(menu => menu.roles.map(role => [menu.code, role] as const))
  await db.run(sql`
    insert into role_menu (tenant_id, role_id, menu_id)
    select ${db.actor.tenantId}, r.id, m.id
    from unnest(${grants.map(([code]) => code)}::text[], ${grants.map(([, role]) => role)}::text[]) as g(code, alias)
    join role r on r.role_alias = g.alias and not r.is_deleted join menu m on m.code = g.code and not m.is_deleted
    where r.id = any(${[...newRoles]}::bigint[]) or m.id = any(${added.map(menu => menu.id)}::bigint[])
    on conflict do nothing`)
  return added.map(menu => menu.id)
}

/** Top menus with what stands below their roots. Later only new menus are added: what somebody took out of a top menu stays out. */
const insertTopMenus = async (db: TenantDb, newMenus: readonly string[]): Promise<void> => {
  const added = await db.all(sql<{ id: string }>`
    insert into top_menu (tenant_id, code, name, name_en, source, sort)
    select ${db.actor.tenantId}, s.* from unnest(${topMenuSeeds.map(s => s.code)}::text[], ${topMenuSeeds.map(s => s.zh)}::text[], ${topMenuSeeds.map(s => s.en)}::text[],
      ${topMenuSeeds.map(s => s.icon)}::text[], ${topMenuSeeds.map((_, i) => i + 1)}::int[]) as s(code, name, name_en, source, sort)
    where not exists (select 1 from top_menu t where t.code = s.code)
    returning id::text as id`)
  const roots = topMenuSeeds.flatMap(top => top.roots.map(root => [top.code, root] as const))
  await db.run(sql`
    with recursive below as (
      select r.top, m.id from unnest(${roots.map(([top]) => top)}::text[], ${roots.map(([, root]) => root)}::text[]) as r(top, root)
        join menu m on m.code = r.root and not m.is_deleted
      union select b.top, m.id from below b join menu m on m.parent_id = b.id and m.category = 1 and not m.is_deleted)
    insert into top_menu_menu (tenant_id, top_menu_id, menu_id)
    select ${db.actor.tenantId}, t.id, b.id from below b join top_menu t on t.code = b.top and not t.is_deleted
    where t.id = any(${added.map(top => top.id)}::bigint[]) or b.id = any(${[...newMenus]}::bigint[])
    on conflict do nothing`)
}

/** @returns the ids of roles that were not there before */
const insertRoles = async (db: TenantDb): Promise<readonly string[]> => {
  const added = await db.all(sql<{ id: string }>`
    insert into role (tenant_id, role_name, role_name_en, role_alias, sort)
    select ${db.actor.tenantId}, name, name_en, alias, sort
    from unnest(${roleAliases.map(alias => roleNames[alias].zh)}::text[], ${roleAliases.map(alias => roleNames[alias].en)}::text[], ${[...roleAliases]}::text[], ${roleAliases.map((_, i) => i + 1)}::int[]) as s(name, name_en, alias, sort)
    where not exists (select 1 from role r where r.role_alias = s.alias and not r.is_deleted)
    returning id::text as id`)
  return added.map(role => role.id)
}

const insertDictionaries = async (db: TenantDb): Promise<void> => {
  const central = dictionarySeeds()
  const seeds = [...central, ...declaredDictionaries().filter(({ code }) => !central.some(seed => seed.code === code))]
  const groups = seeds.map((seed, index) => ({ code: seed.code, key: '-1', zh: seed.zh, en: seed.en, sealed: 0, sort: index + 1 }))
  const entries = seeds.flatMap(seed =>
    seed.entries.map(([key, zh, en, isSealed], index) => ({ code: seed.code, key, zh, en, sealed: isSealed ? 1 : 0, sort: index + 1 })),
  )
  const all = [...groups, ...entries]
  await db.run(sql`
    insert into dict_biz (tenant_id, code, dict_key, dict_value, dict_value_en, is_sealed, sort)
    select ${db.actor.tenantId}, s.* from unnest(${all.map(row => row.code)}::text[], ${all.map(row => row.key)}::text[], ${all.map(row => row.zh)}::text[], ${all.map(row => row.en)}::text[],
      ${all.map(row => row.sealed)}::int[], ${all.map(row => row.sort)}::int[])
      as s(code, dict_key, dict_value, dict_value_en, is_sealed, sort)
    -- What an administrator has removed is not brought back by the next start.
    where not exists (select 1 from dict_biz x where x.code = s.code and x.dict_key = s.dict_key)`)
  await db.run(
    sql`update dict_biz c set parent_id = g.id from dict_biz g where g.code = c.code and g.dict_key = '-1' and c.dict_key <> '-1' and c.parent_id = 0`,
  )
}

/** Rules that are there keep their limits and whether they are on. */
const insertWatchRules = async (db: TenantDb): Promise<void> => {
  const column = <T>(of: (seed: (typeof watchRuleSeeds)[number]) => T): T[] => watchRuleSeeds.map(of)
  await db.run(sql`
    insert into watch_rule (tenant_id, code, name_zh, name_en, measure, span, subject, roles, is_off_hours, threshold, factor, floor, brake, is_fixed, sort)
    select ${db.actor.tenantId}, s.* from unnest(${column(s => s.code)}::text[], ${column(s => s.zh)}::text[], ${column(s => s.en)}::text[], ${column(s => s.measure)}::text[],
      ${column(s => s.span)}::text[], ${column(s => s.subject)}::text[], ${column(s => JSON.stringify(s.roles ?? []))}::jsonb[], ${column(s => s.isOffHours === true)}::bool[],
      ${column(s => s.threshold ?? null)}::int[], ${column(s => s.factor ?? null)}::numeric[], ${column(s => s.floor ?? 1)}::int[], ${column(s => s.brake ?? null)}::int[], ${column(s => s.isFixed === true)}::bool[],
      ${watchRuleSeeds.map((_, at) => at + 1)}::int[])
      as s(code, name_zh, name_en, measure, span, subject, roles, is_off_hours, threshold, factor, floor, brake, is_fixed, sort)
    on conflict (tenant_id, code) do nothing`)
}

/** Roles, menus, grants, dictionaries, the first department, parameters and libraries of one tenant. Safe to run again: what is there stays as it is. */
export const seedTenant = async (db: TenantDb): Promise<void> => {
  // The planner expects one row of a tenant it has never counted, and would read two hundred menus two hundred times.
  await db.run(sql`set local enable_nestloop = off`)
  await insertTopMenus(db, await insertMenus(db, await insertRoles(db)))
  await insertDictionaries(db)
  await db.run(sql`
    insert into dept (tenant_id, dept_name, full_name, dept_category, sort)
    select tenant_id, tenant_name, tenant_name, 1, 1 from tenant where tenant_id = ${db.actor.tenantId} and not exists (select 1 from dept)`)
  await db.run(sql`
    insert into param (tenant_id, param_name, param_key, param_value)
    select ${db.actor.tenantId}, s.param_name, s.param_key, coalesce(f.param_value, s.param_value)
    from unnest(${parameterSeeds.map(p => p[1])}::text[], ${parameterSeeds.map(p => p[0])}::text[], ${parameterSeeds.map(p => p[2])}::text[]) as s(param_name, param_key, param_value)
    left join platform_param f on f.param_key = s.param_key
    where not exists (select 1 from param p where p.param_key = s.param_key and not p.is_deleted)`)
  await insertWatchRules(db)
  // The scheduler of the program itself: a job server without an address.
  await db.run(sql`
    insert into job_server (tenant_id, job_server_name, job_app_name, state)
    select ${db.actor.tenantId}, '内置调度', 'kaopu', 3 where not exists (select 1 from job_server where job_server_url = '' and not is_deleted)`)
  await seedLibrary(db)
  await db.run(sql`set local enable_nestloop = on`)
  await db.run(sql`
    insert into seed_state (tenant_id, digest) values (${db.actor.tenantId}, ${seedDigest()})
    on conflict (tenant_id) do update set digest = excluded.digest, seeded_at = excluded.seeded_at`)
}
