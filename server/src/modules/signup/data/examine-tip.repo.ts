import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** As many as anybody reads through. */
const mostOffered = 200

export interface OfferedTip {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly kind: number
  readonly fieldKey: string | null
  readonly scope: number
}

/** One's own and those of all. */
export const tipsSeenBy = (userId: string): RawBuilder<unknown> => sql`(scope = 2 or created_by = ${userId})`

export const listOfferedTips = (db: TenantDb, userId: string): Promise<OfferedTip[]> =>
  db.all(sql<OfferedTip>`
    select id::text as id, title, content, kind, field_key as "fieldKey", scope from examine_tip
    where not is_deleted and ${tipsSeenBy(userId)} order by use_count desc, sort, id limit ${mostOffered}`)

/** @returns whether there is such a text for this person */
export const countTipUse = async (db: TenantDb, userId: string, id: string): Promise<boolean> =>
  (await db.maybe(sql`
    update examine_tip set use_count = use_count + 1 where id = ${id} and not is_deleted and ${tipsSeenBy(userId)} returning 1 as one`)) !==
  undefined

/** Whether a field or a file of the library, or of any form, is called so. */
export const isFormKey = async (db: TenantDb, key: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 where exists (select 1 from item where item_key = ${key} and not is_deleted)
      or exists (select 1 from file_kind where file_key = ${key} and not is_deleted)
      or exists (select 1 from sign_item where item_key = ${key} and not is_deleted)
      or exists (select 1 from sign_file where file_key = ${key} and not is_deleted)`)) !== undefined
