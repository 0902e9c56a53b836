import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import type { ResultScope } from '../domain/result-scope.ts'
import { ofRow, type ResultFilter } from './result.repo.ts'

/** Sign-ups with a result, in the order of posts and ranks, at most `limit`. */
export const listResultPeople = async (db: TenantDb, filter: ResultFilter, scope: ResultScope, limit: number): Promise<string[]> => {
  const where = allOf([
    sql`s.exam_id = ${filter.examId} and not s.is_deleted`,
    scope.units !== null && sql`s.unit = any(${[...scope.units]})`,
    scope.shortlistedOnly && sql`t.shortlist in (1, 2)`,
    filter.unit !== undefined && sql`s.unit = ${filter.unit}`,
    filter.code !== undefined && sql`s.code = ${filter.code}`,
    sql`exists (select 1 from result r where r.signup_id = s.id and r.exam_id = s.exam_id and not r.is_deleted
      ${scope.releasedOnly ? sql`and r.released` : sql``} and ${ofRow(filter, scope)})`,
  ])
  const rows = await db.all(sql<{ id: string }>`
    select s.id::text as id from signup s left join score_total t on t.signup_id = s.id and t.released
    where ${where} order by s.unit, s.code, t.rank_in_post nulls last, s.sign_no, s.id limit ${limit}`)
  return rows.map(row => row.id)
}

export interface ExportPaper {
  readonly id: string
  readonly itemName: string
}
export const listExportPapers = (db: TenantDb, examId: string, itemId: string | undefined): Promise<ExportPaper[]> =>
  db.all(sql<ExportPaper>`
    select id::text as id, item_name as "itemName" from exam_item
    where exam_id = ${examId} and not is_deleted ${itemId === undefined ? sql`` : sql`and id = ${itemId}`} order by sort, item_code`)

export interface ExportPerson {
  readonly ticketNo: string
  readonly name: string
  readonly idCardMask: string | null
  readonly unitName: string | null
  readonly code: string | null
  readonly codeName: string | null
  readonly plan: number | null
  readonly writtenTotal: string | null
  readonly interviewTotal: string | null
  readonly total: string | null
  readonly rank: number | null
  readonly shortlist: number | null
  readonly results: readonly { readonly itemId: string; readonly score: string | null; readonly state: number; readonly bonus: string }[]
}

/** The people of one batch in the order of `ids`. */
export const readResultPeople = (db: TenantDb, ids: readonly string[], scope: ResultScope): Promise<ExportPerson[]> =>
  db.all(sql<ExportPerson>`
    select r.ticket_no as "ticketNo", r.name, s.id_card_mask as "idCardMask", p.unit_name as "unitName", s.code, p.code_name as "codeName", p.cur_num as plan,
      t.written_total as "writtenTotal", t.interview_total as "interviewTotal", t.total, t.rank_in_post as rank, t.shortlist, r.results
    from unnest(${[...ids]}::bigint[]) with ordinality as g(id, place)
    join signup s on s.id = g.id
    join lateral (
      select min(r.ticket_no) as ticket_no, min(r.name) as name,
        jsonb_agg(jsonb_build_object('itemId', r.item_id::text, 'score', r.score::text, 'state', r.result_state, 'bonus', r.bonus::text)) as results
      from result r where r.signup_id = s.id and r.exam_id = s.exam_id and not r.is_deleted ${scope.releasedOnly ? sql`and r.released` : sql``}) r
      on r.results is not null
    left join score_total t on t.signup_id = s.id and t.released
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    order by g.place`)
