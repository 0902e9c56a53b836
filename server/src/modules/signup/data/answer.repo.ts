import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

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
