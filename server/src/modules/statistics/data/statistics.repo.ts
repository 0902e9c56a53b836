import { dueFigures } from '#contract/pay/figures.ts'
import type { DueState } from '#contract/pay/order.state.ts'
import { type SignupFigure, signupFigures } from '#contract/signup/figures.ts'
import { cameInFen, isIn, isPaidInFull, owes, talliedIn } from '#kernel/db/figures.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, byDictionary, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Units the reader may see; null = all of the examination. */
export type Units = readonly string[] | null

export const ofUnits = (column: string, units: Units, unit?: string): RawBuilder<unknown> =>
  allOf([units !== null && sql`${sql.ref(column)} = any(${[...units]})`, unit !== undefined && sql`${sql.ref(column)} = ${unit}`])

export interface ExamHead {
  readonly id: string
  readonly examCode: string
  readonly examName: string
  readonly signBegin: Date | null
  readonly signEnd: Date | null
  /** Who counts for whether a post is held: 1 who passed, 2 who paid. */
  readonly ratioBasis: 1 | 2
}
export const findExamHead = (db: TenantDb, examId: string): Promise<ExamHead | undefined> =>
  db.maybe(sql<ExamHead>`
    select id::text as id, exam_code as "examCode", exam_name as "examName", sign_begin as "signBegin", sign_end as "signEnd", ratio_basis as "ratioBasis"
    from examination where id = ${examId} and not is_deleted`)

export const listPosts = (db: TenantDb, examId: string, units: Units) =>
  db.all(sql<{ unit: string; unitName: string; code: string; codeName: string; type: string }>`
    select unit, unit_name as "unitName", code, code_name as "codeName", type from type_code t
    where exam_id = ${examId} and not is_deleted and ${ofUnits('t.unit', units)} order by unit, sort, code`)

export const listPapers = (db: TenantDb, examId: string) =>
  db.all(sql<{ id: string; itemCode: string; itemName: string; itemType: number }>`
    select id::text as id, item_code as "itemCode", item_name as "itemName", item_type as "itemType"
    from exam_item where exam_id = ${examId} and not is_deleted order by sort, item_code`)

export const planByType = (db: TenantDb, examId: string, units: Units, unit?: string) =>
  db.all(sql<{ type: string; typeName: string; planNum: number; curNum: number }>`
    select t.type, min(t.type_name) as "typeName", sum(t.plan_num)::int as "planNum", sum(t.cur_num)::int as "curNum"
    from type_code t where t.exam_id = ${examId} and not t.is_deleted and ${ofUnits('t.unit', units, unit)}
    group by t.type order by ${byDictionary('post_type', sql`t.type`)}, t.type`)

/** Posts with the figure of their sign-ups, the most chosen first; cancelled ones have none to come. */
export const signupsByPost = (db: TenantDb, examId: string, figure: SignupFigure, units: Units, unit?: string) =>
  db.all(sql<{ code: string; codeName: string; unitName: string; curNum: number; num: number }>`
    with counted as (
      select s.code, ${talliedIn(figure, 's')} as num from signup_tally s
      where s.exam_id = ${examId} and ${ofUnits('s.unit', units, unit)}
      group by s.code)
    select t.code, t.code_name as "codeName", t.unit_name as "unitName", t.cur_num as "curNum", coalesce(c.num, 0) as num
    from type_code t left join counted c on c.code = t.code
    where t.exam_id = ${examId} and not t.is_deleted and t.post_state <> 2 and ${ofUnits('t.unit', units, unit)}
    order by num desc, t.code`)

/** The figure of sign-ups by the category of their first choice, in the order of the dictionary of categories. */
export const signupsByType = (db: TenantDb, examId: string, figure: SignupFigure, units: Units, unit?: string) =>
  db.all(sql<{ type: string; typeName: string; num: number }>`
    with counted as (
      select s.type, ${talliedIn(figure, 's')} as num from signup_tally s
      where s.exam_id = ${examId} and ${ofUnits('s.unit', units, unit)}
      group by s.type)
    select t.type, min(t.type_name) as "typeName", coalesce(min(c.num), 0) as num
    from type_code t left join counted c on c.type = t.type
    where t.exam_id = ${examId} and not t.is_deleted and ${ofUnits('t.unit', units, unit)}
    group by t.type order by ${byDictionary('post_type', sql`t.type`)}, t.type`)

/** What the reader's rules leave of dues, a condition on `exam_pay_row`; undefined where they leave all. */
export type DueScope = RawBuilder<unknown> | undefined
export const duesWithin = (examId: string, scope: DueScope): RawBuilder<unknown> =>
  scope === undefined ? sql`` : sql`and p.id in (select id from exam_pay_row where exam_id = ${examId} and ${scope})`

export const duesByState = (db: TenantDb, examId: string, units: Units, scope: DueScope) =>
  db.all(sql<{ state: DueState; num: number; amountFen: string; paidFen: string }>`
    select p.state, count(*)::int as num, coalesce(sum(p.amount_fen), 0)::text as "amountFen", ${cameInFen} as "paidFen"
    from exam_pay p ${units === null ? sql`` : sql`join signup s on s.id = p.signup_id and ${ofUnits('s.unit', units)}`}
    where p.exam_id = ${examId} and not p.is_deleted ${duesWithin(examId, scope)} group by p.state`)

export interface PostHead {
  readonly unit: string
  readonly unitName: string
  readonly code: string
  readonly codeName: string
  readonly type: string
  readonly planNum: number
  readonly curNum: number
  /** People for each place that the post needs to be held; 0 none. */
  readonly openRatio: number
}
export const listPostHeads = (db: TenantDb, examId: string, units: Units): Promise<PostHead[]> =>
  db.all(sql<PostHead>`
    select t.unit, t.unit_name as "unitName", t.code, t.code_name as "codeName", t.type, t.plan_num as "planNum", t.cur_num as "curNum",
      coalesce(t.open_ratio, e.open_ratio) as "openRatio"
    from type_code t join examination e on e.id = t.exam_id
    where t.exam_id = ${examId} and not t.is_deleted and ${ofUnits('t.unit', units)} order by t.unit, t.sort, t.code`)

export interface PostDues {
  readonly code: string
  readonly should: number
  readonly paid: number
  readonly amountFen: string
}
/** People with dues by post, those who have paid all of them, and what came in and did not go back. */
export const duesByPost = (
  db: TenantDb,
  of: { readonly examId: string; readonly itemId: string | undefined; readonly units: Units; readonly dues: DueScope },
): Promise<PostDues[]> =>
  db.all(sql<PostDues>`
    with person as (
      select s.code, s.examine, ${owes(dueFigures.owing)} as owes, ${isPaidInFull} as "isPaid", ${cameInFen}::bigint as fen
      from exam_pay p join signup s on s.id = p.signup_id
      where p.exam_id = ${of.examId} and not p.is_deleted and s.code is not null
        and ${allOf([of.itemId !== undefined && sql`p.item_id = ${of.itemId}`])} and ${ofUnits('s.unit', of.units)} ${duesWithin(of.examId, of.dues)}
      group by s.id, s.code, s.examine)
    select code, (count(*) filter (where owes))::int as should, (count(*) filter (where "isPaid" and ${isIn(signupFigures.signedUp, 'person')}))::int as paid,
      sum(fen)::text as "amountFen"
    from person group by code`)

const hourMs = 3_600_000
const isWholeHour = (at: Date | undefined): boolean => at === undefined || at.getTime() % hourMs === 0

/**
 * Events of the line chart per bucket, only those buckets in which something happened. `at` is the bucket's Shanghai start. Without a begin or an end
 * all before or after. Sign-ups are kept by the hour (`signup_hour`); a period that begins or ends within one is read from `signup_unit_ix` alone, which
 * leaves drafts out: rows would be thirty times as much to read.
 */
export const eventsOverTime = (
  db: TenantDb,
  {
    examId,
    units,
    dues,
    grain,
    begin,
    end,
  }: {
    examId: string
    units: Units
    dues: DueScope
    grain: 'hour' | 'day'
    begin: Date | undefined
    end: Date | undefined
  },
) => {
  // Shanghai has kept one distance from UTC since there are examinations: its hours and days are evenly long.
  const bucket = (column: string) => sql`date_bin(${`1 ${grain}`}::interval, ${sql.ref(column)}, timestamptz '2000-01-01 00:00:00+08')`
  const within = (column: string) =>
    allOf([
      sql`${sql.ref(column)} is not null`,
      begin && sql`${sql.ref(column)} >= ${begin}::timestamptz`,
      end && sql`${sql.ref(column)} < ${end}::timestamptz`,
    ])
  const mine = sql`s.exam_id = ${examId} and s.examine <> 'draft' and ${isIn(signupFigures.signedUp, 's')} and not s.is_deleted and ${ofUnits('s.unit', units)}`
  const isByHour = isWholeHour(begin) && isWholeHour(end)
  const kept = (events: readonly string[]) => sql`
    select ${bucket('h.at')} as at, sum(h.n) filter (where h.event = 'submitted') as submitted, sum(h.n) filter (where h.event = 'passed') as passed,
      sum(h.n) filter (where h.event = 'paid') as paid
    from signup_hour h where h.exam_id = ${examId} and h.event = any(${[...events]}) and ${ofUnits('h.unit', units)} and ${within('h.at')} group by 1`
  const signups = sql`
    select ${bucket('s.first_submit_time')} as at, count(*) as submitted, 0 as passed, 0 as paid from signup s
      where ${mine} and ${within('s.first_submit_time')} group by 1
    union all
    select ${bucket('s.examine_time')}, 0, count(*), 0 from signup s where ${mine} and s.examine = 'passed' and ${within('s.examine_time')} group by 1`
  const payments = sql`
    select ${bucket('paid_time')} as at, 0 as submitted, 0 as passed, count(*) as paid from (
      select min(p.paid_time) as paid_time from exam_pay p join signup s on s.id = p.signup_id
      where ${mine} and p.exam_id = ${examId} and p.state = 'paid' and not p.is_deleted ${duesWithin(examId, dues)} group by p.signup_id) first_payment
    where ${within('paid_time')} group by 1`
  // Whoever has rules of their own for dues counts those.
  const events = !isByHour
    ? sql`${signups} union all ${payments}`
    : dues === undefined
      ? kept(['submitted', 'passed', 'paid'])
      : sql`${kept(['submitted', 'passed'])} union all ${payments}`
  return db.all(sql<{ at: string; submitted: number; passed: number; paid: number }>`
    with event as (${events})
    select to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as at, coalesce(sum(submitted), 0)::int as submitted,
      coalesce(sum(passed), 0)::int as passed, coalesce(sum(paid), 0)::int as paid
    from event group by event.at having coalesce(sum(submitted), 0) + coalesce(sum(passed), 0) + coalesce(sum(paid), 0) > 0 order by event.at`)
}

export interface StageCounts {
  readonly submitted: number
  readonly submittedToday: number
  readonly waiting: number
  readonly waitingToday: number
  readonly passed: number
  readonly passedToday: number
  readonly paid: number
  readonly paidToday: number
  readonly downloaded: number
  readonly downloadedToday: number
  readonly attended: number
  readonly attendedToday: number
  readonly shortlisted: number
  readonly shortlistedToday: number
}

/**
 * The funnel. What sign-ups themselves tell is kept by state and hour (midnight is a whole hour); the rest is counted. Attendance and shortlist count
 * after their release only.
 *
 * @param of.results - units whose results the reader's rules leave; tickets are narrowed by the database itself
 */
export const stageCounts = (
  db: TenantDb,
  {
    examId,
    units,
    dues,
    results,
    midnight,
    unit,
  }: { examId: string; units: Units; dues: DueScope; results: Units; midnight: Date; unit?: string },
): Promise<StageCounts> =>
  db.one(sql<StageCounts>`
    with mine as not materialized (
      select s.id, s.unit from signup s
      where s.exam_id = ${examId} and s.examine <> 'draft' and ${isIn(signupFigures.signedUp, 's')} and not s.is_deleted and ${ofUnits('s.unit', units, unit)}),
    standing as (
      select ${talliedIn(signupFigures.signedUp, 's')} as submitted, ${talliedIn(signupFigures.unexamined, 's')} as waiting,
        ${talliedIn(signupFigures.passed, 's')} as passed, ${talliedIn(signupFigures.paid, 's')} as paid
      from signup_tally s where s.exam_id = ${examId} and ${ofUnits('s.unit', units, unit)}),
    today as (
      select coalesce(sum(n) filter (where event = 'submitted'), 0)::int as submitted, coalesce(sum(n) filter (where event = 'waiting'), 0)::int as waiting,
        coalesce(sum(n) filter (where event = 'passed'), 0)::int as passed
      from signup_hour s where s.exam_id = ${examId} and s.event in ('submitted', 'waiting', 'passed') and s.at >= ${midnight} and ${ofUnits('s.unit', units, unit)}),
    money as (${
      dues === undefined
        ? sql`select k.at from signup_paid k join signup s on s.id = k.signup_id
      where k.exam_id = ${examId} and k.at >= ${midnight} and ${isIn(signupFigures.paid, 's')} and not s.is_deleted and ${ofUnits('s.unit', units, unit)}`
        : sql`select min(p.paid_time) as at from exam_pay p join mine m on m.id = p.signup_id
      where p.exam_id = ${examId} and not p.is_deleted ${duesWithin(examId, dues)} group by p.signup_id having ${isPaidInFull}`
    }),
    tickets as (
      select t.signup_id, min(t.first_down_time) as at from ticket t join mine m on m.id = t.signup_id
      where t.exam_id = ${examId} and t.ticket_state = 'downloaded' and not t.is_deleted group by t.signup_id),
    sat as (
      select r.signup_id, min(r.release_time) as at from result r join mine m on m.id = r.signup_id
      where r.exam_id = ${examId} and r.released and r.result_state in (1, 3, 4) and not r.is_deleted and ${ofUnits('m.unit', results)} group by r.signup_id),
    listed as (
      select t.signup_id, t.updated_at as at from score_total t join mine m on m.id = t.signup_id
      where t.exam_id = ${examId} and t.released and t.shortlist in (1, 2) and ${ofUnits('m.unit', results)})
    select
      standing.submitted, today.submitted as "submittedToday", standing.waiting, today.waiting as "waitingToday", standing.passed, today.passed as "passedToday",
      ${dues === undefined ? sql`standing.paid` : sql`(select count(*) from money)::int`} as paid,
      (select count(*) from money where at >= ${midnight})::int as "paidToday",
      (select count(*) from tickets)::int as downloaded,
      (select count(*) from tickets where at >= ${midnight})::int as "downloadedToday",
      (select count(*) from sat)::int as attended,
      (select count(*) from sat where at >= ${midnight})::int as "attendedToday",
      (select count(*) from listed)::int as shortlisted,
      (select count(*) from listed where at >= ${midnight})::int as "shortlistedToday"
    from standing, today`)
