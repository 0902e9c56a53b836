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

/**
 * The dictionaries a form is checked with: those in `whole` complete, of those its fields choose from only what was given in them. A list
 * of regions need not be read to see that one of them is in it. `offset 0` keeps the planner from looking for the key in every dictionary.
 */
export const findFormEntries = async (
  db: TenantDb,
  examId: string,
  whole: readonly string[],
  given: readonly (readonly [itemKey: string, key: string])[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Label>>> => {
  const rows = await db.all(sql<{ code: string; key: string; zh: string; en: string }>`
    select d.code, d.dict_key as key, d.dict_value as zh, case when d.dict_value_en = '' then d.dict_value else d.dict_value_en end as en
    from dict_biz d where d.code = any(${[...whole]}) and d.dict_key <> '-1' and not d.is_deleted
    union all
    select d.* from unnest(${given.map(([itemKey]) => itemKey)}::text[], ${given.map(([, key]) => key)}::text[]) as g(item_key, key)
    join sign_item i on i.exam_id = ${examId} and i.item_key = g.item_key and i.dict_code <> all(${[...whole]}) and not i.is_deleted
    cross join lateral (
      select d.code, d.dict_key, d.dict_value, case when d.dict_value_en = '' then d.dict_value else d.dict_value_en end
      from dict_biz d where d.code = i.dict_code and d.dict_key = g.key and d.dict_key <> '-1' and not d.is_deleted offset 0) d`)
  const groups = new Map<string, Map<string, Label>>()
  for (const { code, key, zh, en } of rows) {
    const group = groups.get(code) ?? new Map<string, Label>()
    group.set(key, { zh, en })
    groups.set(code, group)
  }
  return groups
}
