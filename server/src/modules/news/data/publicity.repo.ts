import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Papers of the examination whose results are not released. */
export const listUnreleased = async (db: TenantDb, examId: string, withInterview: boolean): Promise<readonly string[]> =>
  (
    await db.all(sql<{ name: string }>`
      select item_name as name from exam_item
      where exam_id = ${examId} and not is_deleted and score_state <> 'released' and (${withInterview} or item_type = 1)
        and anybody_sits(tenant_id, exam_id, id, type_codes, item_code, ticket_state in ('released', 'ended')) order by sort, item_code`)
  ).map(({ name }) => name)

export interface ListedRow {
  readonly signupId: string
  readonly unitName: string
  readonly code: string
  readonly codeName: string
  readonly name: string
  readonly ticketNo: string
  readonly written: string | null
  readonly interview: string | null
  readonly total: string | null
  readonly rank: number
}

/**
 * People of a list by the released totals, in the order of posts and ranks. `hire` is as many as a post has vacancies, without those who gave up;
 * else those who are on the shortlist. @param chosen those who came through medical check and vetting, and nobody else
 */
export const listPeople = (db: TenantDb, examId: string, hire: boolean, chosen?: readonly string[]): Promise<ListedRow[]> =>
  db.all(sql<ListedRow>`
    select * from (
      select s.id::text as "signupId", coalesce(p.unit_name, '') as "unitName", s.code, coalesce(p.code_name, '') as "codeName", s.name,
        coalesce((select min(r.ticket_no) from result r where r.signup_id = s.id and r.released and not r.is_deleted), '') as "ticketNo",
        round(t.written_total, e.score_scale)::text as written,
        round(t.interview_total, e.score_scale)::text as interview, round(t.total, e.score_scale)::text as total, t.rank_in_post as rank, p.cur_num,
        row_number() over (partition by s.code order by t.rank_in_post, s.id) as place
      from score_total t join signup s on s.id = t.signup_id join examination e on e.id = t.exam_id
      left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
      where t.exam_id = ${examId} and t.released and t.rank_in_post is not null and s.examine = 'passed' and not s.is_deleted and s.shortlist <> 3
        and (${hire} and t.passed is not false or not ${hire} and t.shortlist in (1, 2))
        ${chosen === undefined ? sql`` : sql`and s.id = any(${[...chosen]}::bigint[])`}) l
    where not ${hire} or ${chosen !== undefined} or place <= cur_num
    order by l."unitName", l.code, l.rank, l.name`)

export interface ExamFacts {
  readonly examName: string
  readonly examType: number
  readonly contactPhone: string
  readonly organizer: string
  readonly undertaker: string
  readonly signBegin: Date
  readonly signEnd: Date
}
export const findExamFacts = (db: TenantDb, examId: string): Promise<ExamFacts | undefined> =>
  db.maybe(sql<ExamFacts>`
    select exam_name as "examName", exam_type as "examType", coalesce(contact_phone, '') as "contactPhone",
      organizer, coalesce(undertaker, '') as undertaker,
      sign_begin as "signBegin", sign_end as "signEnd" from examination where id = ${examId} and not is_deleted`)
