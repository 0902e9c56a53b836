import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { ResultScope } from '../domain/result-scope.ts'

export interface ReleasedScore {
  readonly signupId: string
  readonly itemId: string
  readonly itemName: string
  readonly score: string | null
  readonly fullScore: string
  readonly resultState: number
  /** Those since the release, the newest first; null: none. */
  readonly corrections:
    | readonly {
        readonly before: { readonly score: string | null; readonly resultState: number }
        readonly after: { readonly score: string | null; readonly resultState: number }
        readonly reason: string
        /** ISO. */
        readonly at: string
      }[]
    | null
}
export interface ScoreTotal {
  readonly signupId: string
  readonly written: string | null
  readonly interview: string | null
  readonly total: string | null
  readonly bonus: string
  readonly rank: number | null
  readonly postCount: number
  readonly line: string | null
  readonly passLine: string | null
  readonly shortlist: number
  readonly showRank: boolean
  readonly showLine: boolean
  readonly scale: number
}

/** A sign-up with what decides whether its person still takes part. */
export interface ScoredSignup {
  readonly id: string
  readonly userId: string
  readonly examine: string
  readonly payState: PayState
  readonly reductionState: number
}
const scoredColumns = sql`s.id::text as id, s.user_id::text as "userId", s.examine, s.pay_state as "payState", s.reduction_state as "reductionState"`

export const listSignupsForScore = (db: TenantDb, examId: string, userIds: readonly string[]): Promise<ScoredSignup[]> =>
  db.all(sql<ScoredSignup>`
    select ${scoredColumns} from signup s where s.exam_id = ${examId} and s.user_id = any(${[...userIds]}::bigint[]) and not s.is_deleted`)

/** The sign-up whose score is asked for: a candidate's own one, or one that the member of staff may see. */
export const findSignupForScore = (
  db: TenantDb,
  of: { readonly examId: string } & ({ readonly userId: string } | { readonly signupId: string; readonly scope: ResultScope }),
): Promise<ScoredSignup | undefined> =>
  'userId' in of
    ? db.maybe(sql<ScoredSignup>`
        select ${scoredColumns} from signup s where s.exam_id = ${of.examId} and s.user_id = ${of.userId} and not s.is_deleted`)
    : db.maybe(sql<ScoredSignup>`
        select ${scoredColumns} from signup s left join score_total t on t.signup_id = s.id and t.released
        where s.id = ${of.signupId} and s.exam_id = ${of.examId} and not s.is_deleted
          ${of.scope.units === null ? sql`` : sql`and s.unit = any(${[...of.scope.units]})`}
          ${of.scope.shortlistedOnly ? sql`and t.shortlist in (1, 2)` : sql``}`)

export const releasedScores = (db: TenantDb, signupIds: readonly string[]): Promise<ReleasedScore[]> =>
  db.all(sql<ReleasedScore>`
    select r.signup_id::text as "signupId", r.item_id::text as "itemId", i.item_name as "itemName", r.score, i.full_score as "fullScore", r.result_state as "resultState",
      (select jsonb_agg(jsonb_build_object('before', c.before_value, 'after', c.after_value, 'reason', c.reason, 'at', c.updated_at) order by c.id desc)
       from result_correction c where c.result_id = r.id and c.state = 'applied' and c.updated_by <> c.created_by and c.updated_at >= r.release_time) as corrections
    from result r join exam_item i on i.id = r.item_id
    where r.signup_id = any(${[...signupIds]}::bigint[]) and r.released and not r.is_deleted order by i.sort, i.item_code`)

export const listTotals = (db: TenantDb, signupIds: readonly string[]): Promise<ScoreTotal[]> =>
  db.all(sql<ScoreTotal>`
    select t.signup_id::text as "signupId", t.written_total as written, t.interview_total as interview, t.total, t.bonus, t.rank_in_post as rank, coalesce(t.post_count, 0) as "postCount",
      t.line, e.pass_score as "passLine", t.shortlist, t.show_rank as "showRank", t.show_line as "showLine", e.score_scale as scale
    from score_total t join examination e on e.id = t.exam_id
    where t.signup_id = any(${[...signupIds]}::bigint[]) and t.released`)

/** Papers that these people sit whose results were published and taken back (成绩核对中), by name. */
export const papersInCheck = (db: TenantDb, signupIds: readonly string[]): Promise<{ signupId: string; itemName: string }[]> =>
  db.all(sql<{ signupId: string; itemName: string }>`
    select s.id::text as "signupId", i.item_name as "itemName" from signup s
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    join exam_item i on i.exam_id = s.exam_id and not i.is_deleted
    where s.id = any(${[...signupIds]}::bigint[]) and paper_in_check(i.score_state, i.score_release_at)
      and sits_paper(i.type_codes, i.item_code, p.item_codes, s.code) order by i.sort, i.item_code`)
