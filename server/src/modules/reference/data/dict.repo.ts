import type { DictRow } from '#contract/reference/dict.routes.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, initialsHold } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** The tenant's own dictionary, or the one of the platform, which has no tenant column. */
export type DictTable = 'dict' | 'dict_biz'
export type DictDb = TenantDb | PlatformDb
/** Key of the row that stands for a group (framework-contract 0.3.14). */
export const groupKey = '-1'

const columns = sql`
  d.id::text as id, d.parent_id::text as "parentId", d.code, d.dict_key as "dictKey", d.dict_value as "dictValue", d.dict_value_en as "dictValueEn", d.sort,
  d.is_sealed as "isSealed", d.remark, d.version`
const hasChildren = (table: DictTable): RawBuilder<unknown> =>
  sql`exists (select 1 from ${sql.table(table)} c where c.parent_id = d.id and not c.is_deleted) as "hasChildren"`

export interface DictFilter {
  readonly code?: string
  readonly dictValue?: string
  readonly dictKey?: string
  /** 0 = groups. */
  readonly parentId?: string
  readonly limit?: number
  readonly offset?: number
}
const where = (filter: DictFilter): RawBuilder<unknown> =>
  allOf([
    sql`not d.is_deleted`,
    filter.parentId !== undefined && sql`d.parent_id = ${filter.parentId}`,
    filter.code !== undefined && codeHolds(sql`d.code`, filter.code),
    filter.dictValue !== undefined && initialsHold(sql`d.dict_value`, filter.dictValue),
    filter.dictKey !== undefined && sql`d.dict_key = ${filter.dictKey}`,
  ])

export const listDict = (db: DictDb, table: DictTable, filter: DictFilter): Promise<DictRow[]> =>
  db.all(sql<DictRow>`
    select ${columns}, ${hasChildren(table)} from ${sql.table(table)} d where ${where(filter)} order by d.sort, d.id
    ${filter.limit === undefined ? sql`` : sql`limit ${filter.limit} offset ${filter.offset ?? 0}`}`)

export const countDict = async (db: DictDb, table: DictTable, filter: DictFilter): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} d where ${where(filter)}`)).n

export const findDict = (db: DictDb, table: DictTable, id: string): Promise<DictRow | undefined> =>
  db.maybe(sql<DictRow>`select ${columns}, ${hasChildren(table)} from ${sql.table(table)} d where d.id = ${id} and not d.is_deleted`)

/** A row that somebody is about to change. */
export interface LockedDict extends DictRow {
  /** It came with the program, which knows it by its code and key. */
  readonly isBuiltIn: boolean
}
export const lockDict = (db: DictDb, table: DictTable, ids: readonly string[]): Promise<LockedDict[]> =>
  db.all(sql<LockedDict>`
    select ${columns}, false as "hasChildren", d.created_by is null as "isBuiltIn" from ${sql.table(table)} d where d.id = any(${[...ids]}::bigint[]) and not d.is_deleted order by d.id for update`)

export interface OfferedEntry {
  readonly code: string
  readonly dictKey: string
  readonly dictValue: string
  readonly dictValueEn: string
  readonly sort: number
  readonly remark: string
}
/** What a dictionary offers to forms: its entries that are not sealed. */
export const listOffered = (db: TenantDb, table: DictTable, code: string): Promise<OfferedEntry[]> =>
  db.all(sql<OfferedEntry>`
    select code, dict_key as "dictKey", dict_value as "dictValue", dict_value_en as "dictValueEn", sort, remark
    from ${sql.table(table)} where code = ${code} and dict_key <> ${groupKey} and is_sealed = 0 and not is_deleted order by sort, id`)

/** Entries of groups, for the check that children go first. */
export const listEntriesOf = (db: DictDb, table: DictTable, parentIds: readonly string[]): Promise<{ id: string; parentId: string }[]> =>
  db.all(sql<{ id: string; parentId: string }>`
    select id::text as id, parent_id::text as "parentId" from ${sql.table(table)} where parent_id = any(${[...parentIds]}::bigint[]) and not is_deleted`)

export const isTaken = async (db: DictDb, table: DictTable, code: string, key: string, exceptId: string | undefined): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from ${sql.table(table)} where code = ${code} and dict_key = ${key} and not is_deleted and id is distinct from ${exceptId ?? null}::bigint limit 1`)) !==
  undefined

export type DictValues = Omit<DictRow, 'id' | 'hasChildren' | 'version'>

export const insertDict = async (db: DictDb, table: DictTable, userId: string, row: DictValues): Promise<string> => {
  const tenant = table === 'dict_biz' ? { name: sql`tenant_id, `, value: sql`${db.actor.tenantId}, ` } : { name: sql``, value: sql`` }
  const { id } = await db.one(sql<{ id: string }>`
    insert into ${sql.table(table)} (${tenant.name}parent_id, code, dict_key, dict_value, dict_value_en, sort, is_sealed, remark, created_by, updated_by)
    values (${tenant.value}${row.parentId}, ${row.code}, ${row.dictKey}, ${row.dictValue}, ${row.dictValueEn}, ${row.sort}, ${row.isSealed}, ${row.remark}, ${userId}, ${userId})
    returning id::text as id`)
  return id
}
/** A group's new code is the code of its entries too. */
export const updateDict = async (db: DictDb, table: DictTable, userId: string, id: string, row: DictValues): Promise<void> => {
  const changed = sql`updated_at = app_now(), updated_by = ${userId}, version = version + 1`
  await db.run(sql`
    update ${sql.table(table)} set code = ${row.code}, dict_key = ${row.dictKey}, dict_value = ${row.dictValue}, dict_value_en = ${row.dictValueEn}, sort = ${row.sort},
      is_sealed = ${row.isSealed}, remark = ${row.remark}, ${changed} where id = ${id}`)
  if (row.dictKey === groupKey)
    await db.run(sql`update ${sql.table(table)} set code = ${row.code}, ${changed} where parent_id = ${id} and code <> ${row.code}`)
}
export const removeDict = async (db: DictDb, table: DictTable, userId: string, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update ${sql.table(table)} set is_deleted = true, updated_at = app_now(), updated_by = ${userId}, version = version + 1 where id = any(${[...ids]}::bigint[])`)
}

/** Entries of business dictionaries by code, sealed ones included so that old records keep their text. */
export const listEntries = (db: TenantDb, codes: readonly string[]): Promise<{ code: string; key: string; zh: string; en: string }[]> =>
  db.all(sql<{ code: string; key: string; zh: string; en: string }>`
    select code, dict_key as key, dict_value as zh, case when dict_value_en = '' then dict_value else dict_value_en end as en
    from dict_biz where code = any(${[...codes]}) and dict_key <> ${groupKey} and not is_deleted order by code, sort, id`)
