import { param } from '#contract/tenancy/param.resource.ts'
import { filterOf } from '#kernel/crud/filter.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { forgetParameters } from '#kernel/platform-audit.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

/** The search of a list, whose name may also be that of one of these keys: the database knows the Chinese names only. */
export const searchOf = (input: Readonly<Record<string, unknown>>, namedKeys: readonly string[]): RawBuilder<unknown>[] => {
  const usual = filterOf(param.fields, input)
  if (namedKeys.length === 0) return usual
  const { paramName: _, ...rest } = input
  return [sql`(${allOf(usual)} or ${allOf([...filterOf(param.fields, rest), sql`param_key = any(${[...namedKeys]})`])})`]
}

export const findPlatformParam = (
  db: TenantDb | PlatformDb,
  key: string,
  forUpdate = false,
): Promise<{ paramValue: string; version: number } | undefined> =>
  db.maybe(sql<{ paramValue: string; version: number }>`
    select param_value as "paramValue", version from platform_param where param_key = ${key} ${forUpdate ? sql`for update` : sql``}`)

interface PlatformParam {
  readonly paramKey: string
  readonly paramName: string
  readonly paramValue: string
  readonly ownCount: number
  readonly updatedAt: Date
  readonly version: number
}
export const listPlatformParams = (
  db: PlatformDb,
  filter: {
    readonly paramKey?: string
    readonly paramName?: string
    /** Keys whose name matches in the reader's language. */
    readonly orKeys: readonly string[]
  },
): Promise<PlatformParam[]> =>
  db.all(sql<PlatformParam>`
    select p.param_key as "paramKey", p.param_name as "paramName", p.param_value as "paramValue", p.updated_at as "updatedAt", p.version,
      (select count(*)::int from param o where o.param_key = p.param_key and o.is_own and not o.is_deleted) as "ownCount"
    from platform_param p
    where ${allOf([
      filter.paramKey ? codeHolds(sql`p.param_key`, filter.paramKey) : undefined,
      filter.paramName ? sql`(${textHolds(sql`p.param_name`, filter.paramName)} or p.param_key = any(${[...filter.orKeys]}))` : undefined,
    ])}
    order by p.param_key`)

/** Sets a value of the platform. @returns how many tenants follow it */
export const setPlatformParam = async (db: PlatformDb, key: string, value: string, userId: string): Promise<number> => {
  insistOnGate(db, 'platformParameter')
  await db.run(sql`
    update platform_param set param_value = ${value}, updated_by = ${userId}, updated_at = app_now(), version = version + 1 where param_key = ${key}`)
  return db.run(sql`
    update param set param_value = ${value}, updated_at = app_now(), version = version + 1 where param_key = ${key} and not is_own and not is_deleted`)
}

interface HeldParam {
  readonly id: string
  readonly paramKey: string
  readonly paramValue: string
  readonly isOwn: boolean
  /** Null for a parameter of the tenant's own making. */
  readonly platformValue: string | null
}
/** Parameters of the tenant by id, held until the transaction ends. @param scope - the rows that the caller's data scopes leave; undefined = all */
export const lockParams = (db: TenantDb, ids: readonly string[], scope: RawBuilder<unknown> | undefined): Promise<HeldParam[]> =>
  db.all(sql<HeldParam>`
    select p.id::text as id, p.param_key as "paramKey", p.param_value as "paramValue", p.is_own as "isOwn",
      (select f.param_value from platform_param f where f.param_key = p.param_key) as "platformValue"
    from param p where p.id = any(${[...ids]}) and not p.is_deleted and ${scope ?? sql`true`} order by p.id for update of p`)

export const resetParams = async (db: TenantDb, ids: readonly string[]): Promise<number> => {
  insistOnGate(db, 'parameterChange')
  return db.run(sql`
    update param p set param_value = f.param_value, is_own = false, updated_at = app_now(), updated_by = ${db.actor.userId}, version = p.version + 1
    from platform_param f where f.param_key = p.param_key and p.id = any(${[...ids]}) and not p.is_deleted`)
}
/** Every process reads them again. Stands behind whatever writes values of the tenant. */
export const parametersWritten = async (db: TenantDb): Promise<void> => {
  insistOnGate(db, 'parameterChange')
  await forgetParameters(db)
}
/** The parameter of this key, held until the transaction ends. @returns its id */
export const lockParamWith = async (db: TenantDb, key: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ id: string }>`select id::text as id from param where param_key = ${key} and not is_deleted for update`))?.id

/**
 * The values that came with the program, where the platform has none yet. Tenants that already differ have made up their minds: theirs are
 * their own.
 */
export const seedPlatformParams = async (
  db: PlatformDb,
  seeds: readonly (readonly [key: string, name: string, value: string])[],
): Promise<void> => {
  const added = await db.all(sql<{ key: string }>`
    insert into platform_param (param_key, param_name, param_value)
    select * from unnest(${seeds.map(seed => seed[0])}::text[], ${seeds.map(seed => seed[1])}::text[], ${seeds.map(seed => seed[2])}::text[])
    on conflict do nothing returning param_key as key`)
  if (added.length === 0) return
  await db.run(sql`
    update param p set is_own = true from platform_param f
    where f.param_key = p.param_key and p.param_key = any(${added.map(({ key }) => key)}) and p.param_value <> f.param_value and not p.is_own`)
}

/** Values of these parameters; one that is not there has none. */
export const readParameters = async (db: TenantDb, keys: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const rows = await db.all(
    sql<{ key: string; value: string }>`
      select param_key as key, param_value as value from param where param_key = any(${[...keys]}) and not is_deleted`,
  )
  return Object.fromEntries(rows.map(row => [row.key, row.value]))
}
