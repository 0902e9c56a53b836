import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { dictionarySeeds } from './dictionaries.ts'
import { seedLibrary } from './library.ts'
import { type MenuSeed, menuSeeds, type RoleAlias, roleAliases, roleNames } from './menus.ts'
import { parameterSeeds } from './parameters.ts'

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

const insertMenus = async (db: TenantDb): Promise<void> => {
  const menus = flatten(menuSeeds)
  const column = <K extends keyof FlatMenu>(key: K): FlatMenu[K][] => menus.map(menu => menu[key])
  await db.run(sql`
    insert into menu (tenant_id, code, name, name_en, alias, path, source, sort, category, action)
    select ${db.actor.tenantId}, code, name, name_en, code, path, source, sort, category, case when category = 2 then 2 else 0 end
    from unnest(${column('code')}::text[], ${column('zh')}::text[], ${column('en')}::text[], ${column('path')}::text[], ${column('icon')}::text[], ${column('sort')}::int[], ${column('category')}::int[])
      as m(code, name, name_en, path, source, sort, category)
    where not exists (select 1 from menu x where x.code = m.code and not x.is_deleted)`)
  await db.run(sql`
    update menu c set parent_id = p.id
    from unnest(${column('code')}::text[], ${column('parent')}::text[]) as m(code, parent) join menu p on p.code = m.parent
    where c.code = m.code and c.parent_id = 0`)
  const grants = menus.flatMap(menu => menu.roles.map(role => [menu.code, role] as const))
  await db.run(sql`
    insert into role_menu (tenant_id, role_id, menu_id)
    select ${db.actor.tenantId}, r.id, m.id
    from unnest(${grants.map(([code]) => code)}::text[], ${grants.map(([, role]) => role)}::text[]) as g(code, alias)
    join role r on r.role_alias = g.alias and not r.is_deleted join menu m on m.code = g.code and not m.is_deleted
    on conflict do nothing`)
}

const insertRoles = async (db: TenantDb): Promise<void> => {
  await db.run(sql`
    insert into role (tenant_id, role_name, role_name_en, role_alias, sort)
    select ${db.actor.tenantId}, name, name_en, alias, sort
    from unnest(${roleAliases.map(alias => roleNames[alias].zh)}::text[], ${roleAliases.map(alias => roleNames[alias].en)}::text[], ${[...roleAliases]}::text[], ${roleAliases.map((_, i) => i + 1)}::int[]) as s(name, name_en, alias, sort)
    where not exists (select 1 from role r where r.role_alias = s.alias and not r.is_deleted)`)
}

const insertDictionaries = async (db: TenantDb): Promise<void> => {
  const seeds = dictionarySeeds()
  const groups = seeds.map((seed, index) => ({ code: seed.code, key: '-1', zh: seed.zh, en: seed.en, sort: index + 1 }))
  const entries = seeds.flatMap(seed => seed.entries.map(([key, zh, en], index) => ({ code: seed.code, key, zh, en, sort: index + 1 })))
  const all = [...groups, ...entries]
  await db.run(sql`
    insert into dict_biz (tenant_id, code, dict_key, dict_value, dict_value_en, sort)
    select ${db.actor.tenantId}, s.* from unnest(${all.map(row => row.code)}::text[], ${all.map(row => row.key)}::text[], ${all.map(row => row.zh)}::text[], ${all.map(row => row.en)}::text[], ${all.map(row => row.sort)}::int[])
      as s(code, dict_key, dict_value, dict_value_en, sort)
    on conflict do nothing`)
  await db.run(
    sql`update dict_biz c set parent_id = g.id from dict_biz g where g.code = c.code and g.dict_key = '-1' and c.dict_key <> '-1' and c.parent_id = 0`,
  )
}

/** Roles, menus, grants, dictionaries, parameters and libraries of one tenant. Safe to run again: what is there stays as it is. */
export const seedTenant = async (db: TenantDb): Promise<void> => {
  await insertRoles(db)
  await insertMenus(db)
  await insertDictionaries(db)
  await db.run(sql`
    insert into param (tenant_id, param_name, param_key, param_value)
    select ${db.actor.tenantId}, s.* from unnest(${parameterSeeds.map(p => p[1])}::text[], ${parameterSeeds.map(p => p[0])}::text[], ${parameterSeeds.map(p => p[2])}::text[]) as s(param_name, param_key, param_value)
    where not exists (select 1 from param p where p.param_key = s.param_key and not p.is_deleted)`)
  await seedLibrary(db)
}
