import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Codes and names of the dictionaries that a field of a form can offer. */
export const listDictionaries = (db: TenantDb): Promise<{ code: string; zh: string; en: string | null }[]> =>
  db.all(sql<{ code: string; zh: string; en: string | null }>`
    select code, dict_value as zh, dict_value_en as en from dict_biz where dict_key = '-1' and not is_deleted order by sort, code`)

/** @param scope - the rows that the caller's data scopes leave; undefined = all */
export const lockItem = (db: TenantDb, id: string, scope: RawBuilder<unknown> | undefined): Promise<{ status: number } | undefined> =>
  db.maybe(sql<{ status: number }>`select status from item where id = ${id} and not is_deleted and ${scope ?? sql`true`} for update`)

export const setItemStatus = async (db: TenantDb, id: string, status: number): Promise<void> => {
  await db.run(sql`
    update item set status = ${status}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}

/** Whether new forms can take this field of the library. */
export const isItemOffered = async (db: TenantDb, id: unknown): Promise<boolean> =>
  (await db.maybe(sql`select 1 from item where id = ${id} and status = 1 and not is_deleted`)) !== undefined

export const isItemUsed = async (db: TenantDb, id: unknown): Promise<boolean> =>
  (await db.maybe(sql`select 1 from sign_item where items_id = ${id} and not is_deleted limit 1`)) !== undefined

export const isFileKindUsed = async (db: TenantDb, id: unknown): Promise<boolean> =>
  (await db.maybe(sql`select 1 from sign_file where files_id = ${id} and not is_deleted limit 1`)) !== undefined

/** Whether a post, an account or a unit below it names this unit code. */
export const isUnitCodeUsed = async (db: TenantDb, code: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 where exists (select 1 from type_code where unit = ${code} and not is_deleted)
      or exists (select 1 from account where user_code = ${code} and not is_deleted) or exists (select 1 from user_code where parent_code = ${code} and not is_deleted)`)) !==
  undefined
