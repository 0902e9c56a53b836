import { sitsPaper } from '#contract/exam/sits-paper.ts'
import { parseHundredths } from '#contract/result/score.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { PaperResult, PersonFacts, ResultState, Standing, StandingFacts } from '../domain/standing.ts'

const hundredths = (text: string): number => {
  const parsed = parseHundredths(text, Number.MAX_SAFE_INTEGER)
  if (!parsed.ok) throw new Error(`${text} is no decimal with two places`)
  return parsed.hundredths
}
const maybe = (text: string | null): number | null => (text === null ? null : hundredths(text))

/**
 * Facts of the released results, or with `imported` of those too that are only imported: what a release would make of them.
 * @param code people of this post only
 */
export const readStandingFacts = async (
  db: TenantDb,
  examId: string,
  counting: 'released' | 'imported' = 'released',
  code?: string,
): Promise<StandingFacts> => {
  const states = counting === 'imported' ? ['imported', 'released'] : ['released']
  const exam = await db.one(sql<{
    writtenWeight: string
    interviewWeight: string
    scale: number
    passScore: string | null
    interviewPass: string | null
    shortlistRatio: number
    tieBreak: readonly string[]
  }>`
    select written_weight as "writtenWeight", interview_weight as "interviewWeight", score_scale as scale, pass_score as "passScore",
      interview_pass as "interviewPass", shortlist_ratio as "shortlistRatio", tie_break as "tieBreak"
    from examination where id = ${examId}`)
  const papers = await db.all(sql<{
    itemId: string
    itemCode: string
    itemType: 1 | 2 | 3 | 4
    weight: string
    passScore: string | null
    typeCodes: readonly string[]
    isReleased: boolean
  }>`
    select id::text as "itemId", item_code as "itemCode", item_type as "itemType", weight, pass_score as "passScore", type_codes as "typeCodes",
      score_state = any(${states}::text[]) as "isReleased"
    from exam_item where exam_id = ${examId} and not is_deleted order by sort, item_code`)
  const posts = await db.all(
    sql<{ code: string; plan: number; itemCodes: readonly string[] | null }>`
      select code, cur_num as plan, item_codes as "itemCodes" from type_code where exam_id = ${examId} and not is_deleted`,
  )
  const postsOf = (paper: Parameters<typeof sitsPaper>[0]): string[] =>
    posts.filter(post => sitsPaper(paper, { ...post, itemCodes: post.itemCodes ?? [] })).map(post => post.code)
  const rows = await db.all(sql<{
    signupId: string
    userId: string
    code: string
    isValid: boolean
    isOut: boolean
    calledAs: 0 | 1 | 2
    degree: string | null
    graduateDate: string | null
    itemId: string
    state: ResultState
    final: string | null
    bonus: string
  }>`
    select s.id::text as "signupId", s.user_id::text as "userId", coalesce(s.code, '') as code, takes_part(s.examine, s.pay_state, s.reduction_state) as "isValid",
      (s.shortlist = 3 or s.review_state in (3, 4)) as "isOut",
      case when s.review_state in (1, 2, 5) and s.shortlist in (1, 2) then s.shortlist else 0 end as "calledAs", s.degree, case jsonb_typeof(s.content -> 'graduateDate') when 'string' then s.content ->> 'graduateDate' end as "graduateDate",
      r.item_id::text as "itemId", r.result_state as state, r.final_score as final, r.bonus
    from result r join signup s on s.id = r.signup_id join exam_item i on i.id = r.item_id
    where r.exam_id = ${examId} and (r.released or i.score_state = any(${states}::text[])) and not r.is_deleted
      ${code === undefined ? sql`` : sql`and s.code = ${code}`} order by s.id`)
  const people = new Map<string, Omit<PersonFacts, 'results'> & { results: Map<string, PaperResult> }>()
  for (const { itemId, state, final, bonus, ...row } of rows) {
    const person = people.get(row.signupId) ?? { ...row, results: new Map<string, PaperResult>() }
    person.results.set(itemId, { state, finalHundredths: maybe(final), bonusHundredths: hundredths(bonus) })
    people.set(row.signupId, person)
  }
  return {
    people: [...people.values()],
    papers: papers.flatMap(({ weight, passScore, ...paper }) => {
      const typeCodes = postsOf(paper)
      // A paper that no post asks for counts for nobody.
      if (typeCodes.length === 0 && posts.length > 0) return []
      return {
        ...paper,
        typeCodes,
        weightHundredths: hundredths(weight),
        passHundredths: maybe(passScore),
      }
    }),
    plans: new Map(posts.map(post => [post.code, post.plan])),
    rules: {
      writtenWeightHundredths: hundredths(exam.writtenWeight),
      interviewWeightHundredths: hundredths(exam.interviewWeight),
      scale: exam.scale,
      passHundredths: maybe(exam.passScore),
      interviewPassHundredths: maybe(exam.interviewPass),
      shortlistRatio: exam.shortlistRatio,
      tieBreak: exam.tieBreak,
    },
  }
}

export interface Shown {
  readonly showRank: boolean
  readonly showLine: boolean
}

/** Rows of one statement; a parameter is an array per column. */
const batch = 5_000

/** Replaces the totals of an examination; without `shown` what candidates may see stays as it was. */
export const writeStandings = async (db: TenantDb, examId: string, rows: readonly Standing[], shown?: Shown): Promise<void> => {
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch)
    await db.run(sql`
      insert into score_total (tenant_id, signup_id, exam_id, user_id, code, written_total, interview_total, total, bonus, rank_in_post, post_count,
        shortlist, passed, line, released, show_rank, show_line)
      select ${db.actor.tenantId}, g.signup_id, ${examId}, g.user_id, g.code, g.written, g.interview, g.total, g.bonus, g.rank, g.post_count, g.shortlist,
        g.passed, g.line, true, ${shown?.showRank ?? true}, ${shown?.showLine ?? false}
      from unnest(${part.map(r => r.signupId)}::bigint[], ${part.map(r => r.userId)}::bigint[], ${part.map(r => r.code)}::text[],
        ${part.map(r => r.written)}::numeric[], ${part.map(r => r.interview)}::numeric[], ${part.map(r => r.total)}::numeric[],
        ${part.map(r => r.bonus)}::numeric[], ${part.map(r => r.rank)}::int[], ${part.map(r => r.postCount)}::int[],
        ${part.map(r => r.shortlist)}::int[], ${part.map(r => r.passed)}::bool[], ${part.map(r => r.line)}::numeric[])
        as g(signup_id, user_id, code, written, interview, total, bonus, rank, post_count, shortlist, passed, line)
      on conflict (tenant_id, signup_id) do update set
        code = excluded.code, written_total = excluded.written_total, interview_total = excluded.interview_total, total = excluded.total,
        bonus = excluded.bonus, rank_in_post = excluded.rank_in_post, post_count = excluded.post_count, shortlist = excluded.shortlist,
        passed = excluded.passed, line = excluded.line, released = true, updated_at = app_now()
        ${shown === undefined ? sql`` : sql`, show_rank = excluded.show_rank, show_line = excluded.show_line`}`)
  }
  // Nobody keeps a total whose results were withdrawn.
  await db.run(sql`
    update score_total t set released = false, updated_at = app_now()
    where t.exam_id = ${examId} and t.released
      and not exists (select 1 from result r where r.signup_id = t.signup_id and r.exam_id = t.exam_id and r.released and not r.is_deleted)`)
}

export interface Place {
  readonly signupId: string
  readonly userId: string
  readonly rank: number | null
  readonly shortlist: number
  /** Is in the re-review. */
  readonly isCalled: boolean
}
export const readPlaces = (db: TenantDb, examId: string, code?: string): Promise<Place[]> =>
  db.all(sql<Place>`
    select t.signup_id::text as "signupId", t.user_id::text as "userId", t.rank_in_post as rank, t.shortlist, s.review_state in (1, 2, 5) as "isCalled"
    from score_total t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
    where t.exam_id = ${examId} ${code === undefined ? sql`` : sql`and t.code = ${code}`} and t.released order by t.signup_id`)

/** The examination whose ranks hang on this sign-up; undefined while it has no total. */
export const rankedExam = async (db: TenantDb, signupId: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ examId: string }>`select exam_id::text as "examId" from score_total where signup_id = ${signupId} and released`))
    ?.examId
