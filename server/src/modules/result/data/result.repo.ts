import { nameWords } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'
import type { ResultScope } from '../domain/result-scope.ts'

export interface ResultFilter {
  readonly examId: string
  readonly itemId?: string | undefined
  readonly unit?: string | undefined
  readonly code?: string | undefined
  readonly resultState?: number | undefined
  readonly correctionWaits?: number | undefined
  readonly keyword?: string | undefined
}

export interface ResultRecord {
  readonly id: string
  readonly examId: string
  readonly itemId: string
  readonly itemCode: string
  readonly itemName: string
  readonly signupId: string
  readonly userId: string
  readonly ticketNo: string
  readonly name: string
  readonly unit: string
  readonly unitName: string
  readonly code: string
  readonly codeName: string
  readonly score: string | null
  readonly fullScore: string
  readonly resultState: 1 | 2 | 3 | 4 | 5
  readonly bonus: string
  readonly finalScore: string | null
  readonly remark: string | null
  readonly released: boolean
  readonly releaseTime: Date | null
  readonly writtenTotal: string | null
  readonly interviewTotal: string | null
  readonly total: string | null
  readonly rank: number | null
  readonly shortlist: number
  readonly correctionWaits: number
  readonly scale: number
  readonly version: number
}

const within = (scope: ResultScope): RawBuilder<unknown> =>
  allOf([
    scope.units !== null && sql`s.unit = any(${[...scope.units]})`,
    scope.releasedOnly && sql`r.released`,
    scope.shortlistedOnly && sql`t.shortlist in (1, 2)`,
  ])

/** Whether a correction of the row waits for a second person. */
const waits = sql`exists (select 1 from result_correction c where c.tenant_id = r.tenant_id and c.result_id = r.id and c.state = 'waiting')`

/** Whether a correction of the row counted. */
const wasCorrected = sql`exists (select 1 from result_correction c where c.tenant_id = r.tenant_id and c.result_id = r.id and c.state = 'applied')`

/** What the search asks of one result `r`; the file of a search has the people of whom a result answers it. */
export const ofRow = (filter: ResultFilter, scope: ResultScope): RawBuilder<unknown> =>
  allOf([
    filter.itemId !== undefined && sql`r.item_id = ${filter.itemId}`,
    filter.resultState !== undefined && sql`r.result_state = ${filter.resultState}`,
    filter.correctionWaits !== undefined && scope.units === null && (filter.correctionWaits === 1 ? waits : wasCorrected),
    filter.keyword !== undefined &&
      sql`(${wordsLike(sql`r.name`, nameWords(filter.keyword))} or ${codeHolds(sql`r.ticket_no`, filter.keyword)})`,
  ])

const matching = (filter: ResultFilter, scope: ResultScope): RawBuilder<unknown> =>
  allOf([
    sql`r.exam_id = ${filter.examId} and not r.is_deleted`,
    within(scope),
    ofRow(filter, scope),
    filter.unit !== undefined && sql`s.unit = ${filter.unit}`,
    filter.code !== undefined && sql`s.code = ${filter.code}`,
  ])

const from = sql`
  from result r
  join signup s on s.id = r.signup_id
  left join score_total t on t.signup_id = r.signup_id and t.released`

const select = sql`
  select r.id::text as id, r.exam_id::text as "examId", r.item_id::text as "itemId", i.item_code as "itemCode", i.item_name as "itemName",
    r.signup_id::text as "signupId", r.user_id::text as "userId", r.ticket_no as "ticketNo", r.name, coalesce(s.unit, '') as unit,
    coalesce(p.unit_name, '') as "unitName", coalesce(s.code, '') as code, coalesce(p.code_name, '') as "codeName", r.score,
    i.full_score as "fullScore", r.result_state as "resultState", r.bonus, r.final_score as "finalScore", r.remark, r.released,
    r.release_time as "releaseTime", t.written_total as "writtenTotal", t.interview_total as "interviewTotal", t.total,
    t.rank_in_post as rank, coalesce(t.shortlist, 0) as shortlist, ${waits}::int as "correctionWaits", e.score_scale as scale, r.version
  ${from}
  join exam_item i on i.id = r.item_id
  join examination e on e.id = r.exam_id
  left join type_code p on p.exam_id = r.exam_id and p.code = s.code and not p.is_deleted`

/** One page; the page's ids are found first, so a deep page does not carry whole rows. */
export const pageResults = async (db: TenantDb, filter: ResultFilter, scope: ResultScope, size: number, offset: number) => {
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total ${from} where ${matching(filter, scope)}`)
  const rows = await db.all(sql<ResultRecord>`
    with page as (
      select r.id ${from} where ${matching(filter, scope)} order by s.code, t.rank_in_post nulls last, r.ticket_no, r.id limit ${size} offset ${offset})
    ${select} where r.id in (select id from page) order by s.code, t.rank_in_post nulls last, r.ticket_no, r.id`)
  return { rows, total }
}

export const findResult = (db: TenantDb, id: string, scope: ResultScope): Promise<ResultRecord | undefined> =>
  db.maybe(sql<ResultRecord>`${select} where r.id = ${id} and not r.is_deleted and ${within(scope)}`)

/** Names of people by sign-up. */
export const namesOf = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(
    sql<{
      id: string
      name: string
    }>`select id::text as id, coalesce(name, '') as name from signup where id = any(${[...signupIds]}::bigint[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Holds the row until the transaction ends, so that two corrections do not pass each other. */
export const lockResult = (db: TenantDb, id: string): Promise<unknown> =>
  db.maybe(sql`select 1 from result where id = ${id} and not is_deleted for update`)

export interface PaperState {
  readonly id: string
  readonly examId: string
  readonly itemCode: string
  readonly itemName: string
  readonly scoreState: 'none' | 'imported' | 'released'
  readonly scoreImportBy: string | null
  readonly startTime: Date
  readonly endTime: Date
  /** 1 written; 2 interview, 3 practical and 4 physical make up the interview. */
  readonly itemType: number
  readonly passScore: string | null
  /** The lines of the examination and of the paper when the results came in; null while there are none. */
  readonly scoreLines: { readonly exam: string | null; readonly paper: string | null } | null
}

/** Papers in the order of their ids, held against a change of state until the transaction ends. */
export const lockPapers = (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<PaperState[]> =>
  db.all(sql<PaperState>`
    select id::text as id, exam_id::text as "examId", item_code as "itemCode", item_name as "itemName", score_state as "scoreState",
      score_import_by::text as "scoreImportBy", start_time as "startTime", end_time as "endTime", item_type as "itemType",
      pass_score::text as "passScore", case when score_lines is not null then jsonb_build_object('exam', score_lines ->> 'exam', 'paper', score_lines ->> 'paper') end as "scoreLines"
    from exam_item where exam_id = ${examId} and id = any(${[...itemIds]}::bigint[]) and not is_deleted order by id for no key update`)

/** The lines that stand now, as they are kept with the results of a paper that come in. */
export const readLines = async (db: TenantDb, itemId: string): Promise<string> =>
  (
    await db.one(sql<{ lines: string }>`
      select jsonb_build_object('exam', case when i.item_type = 1 then e.pass_score else e.interview_pass end, 'paper', i.pass_score)::text as lines
      from exam_item i join examination e on e.id = i.exam_id where i.id = ${itemId}`)
  ).lines

/** The papers among these of which this person wrote a result: by import, or by a correction that counted. */
export const listWritten = async (db: TenantDb, itemIds: readonly string[], userId: string): Promise<readonly string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select i.id::text as id from exam_item i
      where i.id = any(${[...itemIds]}::bigint[]) and (i.score_import_by = ${userId}
        or exists (select 1 from result r where r.item_id = i.id and not r.is_deleted and ${userId} in (r.created_by, r.updated_by)))`)
  ).map(row => row.id)

/** Everybody who wrote a result of these papers. */
export const listWriters = async (db: TenantDb, itemIds: readonly string[]): Promise<readonly string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with items as (select unnest(${[...itemIds]}::bigint[]) as id), writers as (
        select score_import_by as by from exam_item where id in (select id from items)
        union select created_by from result where item_id in (select id from items) and not is_deleted
        union select updated_by from result where item_id in (select id from items) and not is_deleted)
      select by::text as id from writers where by is not null`)
  ).map(row => row.id)

/** Holders of a valid ticket without a result, by paper; papers where nobody is missing are left out. */
export const listIncomplete = (db: TenantDb, itemIds: readonly string[]): Promise<{ itemId: string; count: number }[]> =>
  db.all(sql<{ itemId: string; count: number }>`
    select t.item_id::text as "itemId", count(*)::int as count from ticket t join signup s on s.id = t.signup_id and takes_part(s.examine, s.pay_state, s.reduction_state)
    where t.item_id = any(${[...itemIds]}::bigint[]) and t.ticket_state <> 'void' and not t.is_deleted
      and not exists (select 1 from result r where r.item_id = t.item_id and r.signup_id = t.signup_id and r.exam_id = t.exam_id and not r.is_deleted)
    group by t.item_id order by t.item_id`)

export interface ReleaseFigures {
  readonly itemId: string
  /** Holders of a valid ticket. */
  readonly holders: number
  readonly results: number
  readonly absent: number
  readonly disciplined: number
  /** Holders without a result. */
  readonly missing: number
}
/** Of how many people a release would be, by paper. */
export const countForRelease = (db: TenantDb, itemIds: readonly string[]): Promise<ReleaseFigures[]> =>
  db.all(sql<ReleaseFigures>`
    select p.id::text as "itemId", t.holders, t.missing, r.results, r.absent, r.disciplined
    from unnest(${[...itemIds]}::bigint[]) as p(id)
    cross join lateral (
      select count(*)::int as holders, count(*) filter (where x.id is null)::int as missing
      from ticket t join signup s on s.id = t.signup_id and takes_part(s.examine, s.pay_state, s.reduction_state) left join result x on x.item_id = t.item_id and x.signup_id = t.signup_id and x.exam_id = t.exam_id and not x.is_deleted
      where t.item_id = p.id and t.ticket_state <> 'void' and not t.is_deleted) t
    cross join lateral (
      select count(*)::int as results, count(*) filter (where r.result_state = 2)::int as absent, count(*) filter (where r.result_state = 3)::int as disciplined
      from result r join signup s on s.id = r.signup_id where r.item_id = p.id and not r.is_deleted and takes_part(s.examine, s.pay_state, s.reduction_state)) r
    order by p.id`)

export interface Outcome {
  readonly signupId: string
  readonly ticketNo: string
  readonly name: string
  readonly resultState: number
  readonly score: string | null
}
/** The results of a paper whose people still take part, in the order of ticket numbers. */
export const listOutcomes = (db: TenantDb, itemId: string): Promise<Outcome[]> =>
  db.all(sql<Outcome>`
    select r.signup_id::text as "signupId", r.ticket_no as "ticketNo", r.name, r.result_state as "resultState", r.score
    from result r join signup s on s.id = r.signup_id and takes_part(s.examine, s.pay_state, s.reduction_state)
    where r.item_id = ${itemId} and not r.is_deleted order by r.ticket_no, r.id`)

/** The other papers of the examination whose results are not out. */
export const listUnreleased = (
  db: TenantDb,
  examId: string,
  besides: readonly string[],
): Promise<{ readonly itemName: string; readonly itemType: number; readonly scoreState: 'none' | 'imported' }[]> =>
  db.all(sql<{ itemName: string; itemType: number; scoreState: 'none' | 'imported' }>`
    select item_name as "itemName", item_type as "itemType", score_state as "scoreState" from exam_item
    where exam_id = ${examId} and id <> all(${[...besides]}::bigint[]) and score_state <> 'released' and not is_deleted
      and anybody_sits(tenant_id, exam_id, id, type_codes, item_code, ticket_state in ('released', 'ended')) order by sort, item_code`)

export const countResults = async (db: TenantDb, itemId: string): Promise<number> =>
  (await db.one(sql<{ count: number }>`select count(*)::int as count from result where item_id = ${itemId} and not is_deleted`)).count

/** These results by the paper they are of; ids that are no result are in none. */
export const listByPaper = (db: TenantDb, ids: readonly string[]): Promise<{ examId: string; itemId: string; ids: string[] }[]> =>
  db.all(sql<{ examId: string; itemId: string; ids: string[] }>`
    select exam_id::text as "examId", item_id::text as "itemId", array_agg(id::text) as ids from result
    where id = any(${[...ids]}::bigint[]) and not is_deleted group by exam_id, item_id order by item_id`)

export const removeRows = (db: TenantDb, itemId: string, ids?: readonly string[]): Promise<number> =>
  db.run(sql`
    update result set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where item_id = ${itemId} and not is_deleted and not released ${ids === undefined ? sql`` : sql`and id = any(${[...ids]}::bigint[])`}`)

export const markReleased = (db: TenantDb, itemIds: readonly string[], released: boolean): Promise<number> => {
  if (released) insistOnGate(db, 'resultRelease')
  return db.run(sql`
    update result set released = ${released}, release_time = ${released ? db.now : null}, version = version + 1
    where item_id = any(${[...itemIds]}::bigint[]) and not is_deleted`)
}

/** Released results that are breaches of the rules, of these papers. */
export const listDisciplined = (
  db: TenantDb,
  itemIds: readonly string[],
): Promise<{ readonly sourceId: string; readonly signupId: string; readonly itemName: string }[]> =>
  db.all(sql<{ sourceId: string; signupId: string; itemName: string }>`
    select r.id::text as "sourceId", r.signup_id::text as "signupId", i.item_name as "itemName" from result r join exam_item i on i.id = r.item_id
    where r.item_id = any(${[...itemIds]}::bigint[]) and r.released and r.result_state = 3 and not r.is_deleted order by r.id`)

export const countReleasedPeople = async (db: TenantDb, itemIds: readonly string[]): Promise<number> => {
  const { people } = await db.one(sql<{ people: number }>`
    select count(distinct signup_id)::int as people from result where item_id = any(${[...itemIds]}::bigint[]) and released and not is_deleted`)
  return people
}

/** Accounts with a released result of these papers, behind account `after` in the order of their ids. */
export const listReleasedPeople = (
  db: TenantDb,
  itemIds: readonly string[],
  after: string,
  limit: number,
): Promise<{ readonly userId: string }[]> =>
  db.all(sql<{ userId: string }>`
    select distinct user_id::text as "userId", user_id from result
    where item_id = any(${[...itemIds]}::bigint[]) and released and not is_deleted and user_id > ${after} order by user_id limit ${limit}`)

/**
 * Accounts whose result of these papers was taken back at `at`, behind account `after` in the order of their ids: rows that are out again are left
 * out, rows that were cleared since are not.
 */
export const listWithdrawnPeople = (
  db: TenantDb,
  itemIds: readonly string[],
  at: Date,
  after: string,
  limit: number,
): Promise<{ readonly userId: string }[]> =>
  db.all(sql<{ userId: string }>`
    select distinct user_id::text as "userId", user_id from result
    where item_id = any(${[...itemIds]}::bigint[]) and not released and (not is_deleted or updated_at >= ${at}) and user_id > ${after}
    order by user_id limit ${limit}`)

export interface NewResult {
  readonly signupId: string
  readonly userId: string
  readonly name: string
  readonly ticketNo: string
  readonly score: string | null
  readonly resultState: number
  readonly bonus: string
  readonly finalScore: string | null
  readonly remark: string
}

/** Adds results of one paper or replaces those of the same people. @returns how many were new and how many changed */
export const upsertResults = async (
  db: TenantDb,
  of: { readonly examId: string; readonly itemId: string; readonly importId: string },
  rows: readonly NewResult[],
): Promise<{ inserted: number; updated: number }> => {
  const { inserted, updated } = await db.one(sql<{ inserted: number; updated: number }>`
    with written as (insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, remark, import_id, created_by, updated_by)
    select ${db.actor.tenantId}, ${of.examId}, ${of.itemId}, g.signup_id, g.user_id, g.ticket_no, g.name, g.score, g.state, g.bonus, g.final,
      nullif(g.remark, ''), ${of.importId}, ${db.actor.userId}, ${db.actor.userId}
    from unnest(${rows.map(r => r.signupId)}::bigint[], ${rows.map(r => r.userId)}::bigint[], ${rows.map(r => r.ticketNo)}::text[],
      ${rows.map(r => r.name)}::text[], ${rows.map(r => r.score)}::numeric[], ${rows.map(r => r.resultState)}::int[], ${rows.map(r => r.bonus)}::numeric[],
      ${rows.map(r => r.finalScore)}::numeric[], ${rows.map(r => r.remark)}::text[])
      as g(signup_id, user_id, ticket_no, name, score, state, bonus, final, remark)
    on conflict (tenant_id, exam_id, item_id, signup_id) where not is_deleted do update set
      ticket_no = excluded.ticket_no, name = excluded.name, score = excluded.score, result_state = excluded.result_state, bonus = excluded.bonus,
      final_score = excluded.final_score, remark = excluded.remark, import_id = excluded.import_id, updated_by = excluded.updated_by,
      updated_at = app_now(), version = result.version + 1
    where not result.released
    returning (xmax = 0) as is_new)
    select (count(*) filter (where is_new))::int as inserted, (count(*) filter (where not is_new))::int as updated from written`)
  return { inserted, updated }
}

export interface ResultValue {
  readonly score: string | null
  readonly resultState: number
  readonly bonus: string
  readonly remark: string | null
}
export const writeValue = (db: TenantDb, id: string, value: ResultValue, finalScore: string | null, by: string): Promise<number> =>
  db.run(sql`
    update result set score = ${value.score}, result_state = ${value.resultState}, bonus = ${value.bonus}, final_score = ${finalScore},
      remark = ${value.remark}, updated_by = ${by}, updated_at = app_now(), version = version + 1
    where id = ${id} and not is_deleted`)

export interface CorrectionRecord {
  readonly id: string
  readonly resultId: string
  readonly before: ResultValue
  readonly after: ResultValue
  readonly reason: string
  readonly state: 'waiting' | 'applied' | 'rejected'
  readonly proposedById: string
  readonly proposedBy: string
  readonly proposedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly decisionRemark: string | null
}
export const listCorrections = (db: TenantDb, resultId: string): Promise<CorrectionRecord[]> =>
  db.all(sql<CorrectionRecord>`
    select c.id::text as id, c.result_id::text as "resultId", c.before_value as before, c.after_value as after, c.reason, c.state,
      c.created_by::text as "proposedById", a.real_name as "proposedBy", c.created_at as "proposedAt", d.real_name as "decidedBy",
      case when c.state = 'waiting' then null else c.updated_at end as "decidedAt", c.decision_remark as "decisionRemark"
    from result_correction c join account a on a.id = c.created_by left join account d on d.id = c.updated_by
    where c.result_id = ${resultId} order by c.id desc`)

export const addCorrection = async (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly resultId: string
    readonly before: ResultValue
    readonly after: ResultValue
    readonly reason: string
  },
  state: 'waiting' | 'applied',
): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into result_correction (tenant_id, exam_id, result_id, before_value, after_value, reason, state, created_by, updated_by)
    values (${db.actor.tenantId}, ${of.examId}, ${of.resultId}, ${JSON.stringify(of.before)}, ${JSON.stringify(of.after)}, ${of.reason}, ${state},
      ${db.actor.userId}, ${state === 'applied' ? db.actor.userId : null})
    returning id::text as id`)
  return id
}
