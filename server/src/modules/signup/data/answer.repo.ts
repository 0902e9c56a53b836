import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** No key of a dictionary is longer (`dict_biz.dict_key`). */
export const longestKey = 60

/** What the key somebody chose in a field is called. */
export interface AnswerLabel {
  readonly itemKey: string
  readonly key: string
  readonly zh: string
  readonly en: string
}

/** The labels of answers that were chosen from the list of their field; other answers have none. */
export const findAnswerLabels = (
  db: TenantDb,
  examId: string,
  given: readonly (readonly [itemKey: string, key: string])[],
): Promise<AnswerLabel[]> =>
  db.all(sql<AnswerLabel>`
    select g.item_key as "itemKey", g.key, d.dict_value as zh, case when d.dict_value_en = '' then d.dict_value else d.dict_value_en end as en
    from unnest(${given.map(([itemKey]) => itemKey)}::text[], ${given.map(([, key]) => key)}::text[]) as g(item_key, key)
    join sign_item i on i.exam_id = ${examId} and i.item_key = g.item_key and not i.is_deleted
    join dict_biz d on d.code = i.dict_code and d.dict_key = g.key and d.dict_key <> '-1' and not d.is_deleted`)

/** An entry of a dictionary. */
export interface Entry extends Label {
  readonly code: string
  readonly key: string
}
const entryColumns = sql.raw(
  `d.code, d.dict_key as key, d.dict_value as zh, case when d.dict_value_en = '' then d.dict_value else d.dict_value_en end as en`,
)

/** Dictionaries from end to end. */
export const findDictionaries = (db: TenantDb, codes: readonly string[]): Promise<Entry[]> =>
  db.all(sql<Entry>`select ${entryColumns} from dict_biz d where d.code = any(${[...codes]}) and d.dict_key <> '-1' and not d.is_deleted`)

/**
 * Those of these entries that there are. A list of regions need not be read to see that one of them is in it; `offset 0` keeps the planner
 * from looking for a key in every dictionary.
 */
export const findEntries = (db: TenantDb, wanted: readonly (readonly [code: string, key: string])[]): Promise<Entry[]> =>
  db.all(sql<Entry>`
    select d.* from unnest(${wanted.map(([code]) => code)}::text[], ${wanted.map(([, key]) => key)}::text[]) as g(code, key)
    cross join lateral (select ${entryColumns} from dict_biz d where d.code = g.code and d.dict_key = g.key and d.dict_key <> '-1' and not d.is_deleted offset 0) d`)
