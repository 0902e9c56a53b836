import type { RecheckState, StepState } from '#contract/selection/selection.state.ts'
import { recheckMachine } from '#contract/selection/selection.state.ts'
import { postEffects, postEvents } from '#contract/signup/post-event.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { rankNow, scoreNow, stageRankNow, stageTotalNow, standingNow } from './standing-now.ts'

/** An uploaded paper of the re-review, as sign-ups keep theirs. */
export interface PaperFile {
  readonly fileKey: string
  readonly fileId: string
  readonly name: string
  readonly size: number
  readonly mime: string
  readonly sha256: string
  readonly uploadTime: string
}
export interface Advice {
  readonly kind: 'item' | 'file' | 'post' | 'other'
  readonly key: string
  readonly label?: string
  readonly advice: string
}

/** A person from the call to the re-review to the hire, with the sign-up it stands on. */
export interface PersonRow {
  readonly signupId: string
  readonly examId: string
  readonly userId: string
  readonly name: string
  readonly signNo: string | null
  readonly unit: string | null
  readonly code: string
  readonly examine: SignupState
  readonly signVersion: number
  readonly idCardIndex: string | null
  readonly stage: number
  readonly review: RecheckState
  readonly reviewRemark: string | null
  readonly shortlist: number
  readonly kind: number
  readonly rank: number | null
  readonly score: string | null
  readonly files: readonly PaperFile[]
  readonly advisements: readonly Advice[]
  readonly stageKind: number | null
  readonly stageRank: number | null
  readonly stageTotal: string | null
  readonly step: StepState
  readonly stepDate: string | null
  readonly stepRemark: string | null
  readonly stepUntil: Date | null
  readonly rechecked: boolean
  readonly endedStage: number | null
}

const reviewNames = Object.entries(recheckMachine.wire)
/** `signup.review_state` by its name. */
const review = sql`(${JSON.stringify(Object.fromEntries(reviewNames.map(([name, wire]) => [wire, name])))}::jsonb ->> s.review_state::text)`

const columns = sql`
  s.id::text as "signupId", s.exam_id::text as "examId", s.user_id::text as "userId", coalesce(s.name, '') as name, s.sign_no as "signNo", s.unit, coalesce(s.code, '') as code,
  s.examine, s.sign_version as "signVersion", s.id_card_index as "idCardIndex", s.stage, ${review} as review, s.review_remark as "reviewRemark", s.shortlist,
  p.kind, ${rankNow} as rank, ${scoreNow} as score, p.files, p.advisements, p.stage_kind as "stageKind", case when p.stage_kind is null then null else ${stageRankNow} end as "stageRank", case when p.stage_kind is null then null else ${stageTotalNow} end as "stageTotal", p.step,
  p.step_date::text as "stepDate", p.step_remark as "stepRemark", p.step_until as "stepUntil", p.rechecked, p.ended_stage as "endedStage"`
const from = sql`selection_person p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id ${standingNow}`

/** A sign-up and where it stands in the selection, if it came there at all. */
export interface Holder extends Omit<PersonRow, 'kind' | 'step'> {
  readonly kind: number | null
  readonly step: StepState | null
  readonly reductionState: number
}
/** The same of any sign-up. */
export const findHolder = (db: TenantDb, signupId: string): Promise<Holder | undefined> =>
  db.maybe(sql<Holder>`
    select ${columns}, s.reduction_state as "reductionState"
    from signup s left join selection_person p on p.tenant_id = s.tenant_id and p.signup_id = s.id ${standingNow} where s.id = ${signupId} and not s.is_deleted`)
export const lockHolder = async (db: TenantDb, signupId: string): Promise<Holder | undefined> => {
  await db.maybe(sql`select 1 from signup where id = ${signupId} and not is_deleted for update`)
  return findHolder(db, signupId)
}
/** Whether a sign-up is among the people of the selection. */
export const isPerson = (holder: Holder): holder is Holder & PersonRow => holder.kind !== null && holder.step !== null

/** Holds the sign-up until the transaction ends: whoever decides on a person holds it. */
export const lockPerson = async (db: TenantDb, signupId: string): Promise<PersonRow | undefined> => {
  await db.maybe(sql`select 1 from signup where id = ${signupId} and not is_deleted for update`)
  return db.maybe(sql<PersonRow>`select ${columns} from ${from} where s.id = ${signupId} and not s.is_deleted`)
}
export const findPerson = (db: TenantDb, signupId: string): Promise<PersonRow | undefined> =>
  db.maybe(sql<PersonRow>`select ${columns} from ${from} where s.id = ${signupId} and not s.is_deleted`)
export const lockPeople = async (db: TenantDb, signupIds: readonly string[]): Promise<PersonRow[]> => {
  await db.all(sql`select 1 from signup where id = any(${[...signupIds]}::bigint[]) order by id for update`)
  return db.all(
    sql<PersonRow>`select ${columns} from ${from} where s.id = any(${[...signupIds]}::bigint[]) and not s.is_deleted order by s.code, ${stageRankNow}, s.id`,
  )
}
export const listOwn = (db: TenantDb, userId: string): Promise<PersonRow[]> =>
  db.all(sql<PersonRow>`select ${columns} from ${from} where s.user_id = ${userId} and not s.is_deleted order by s.id desc`)

export interface PostRow {
  readonly code: string
  readonly codeName: string
  readonly unitName: string
  readonly curNum: number
}
export const listSelectionPosts = (db: TenantDb, examId: string, code?: string): Promise<PostRow[]> =>
  db.all(sql<PostRow>`
    select code, code_name as "codeName", coalesce(unit_name, '') as "unitName", cur_num as "curNum" from type_code
    where exam_id = ${examId} and not is_deleted ${code === undefined ? sql`` : sql`and code = ${code}`} order by unit_name, code`)

/** Somebody with a released rank who may be called. */
export interface RankedRow {
  readonly signupId: string
  readonly userId: string
  readonly name: string
  readonly code: string
  readonly rank: number
  readonly score: string | null
}
const seatEvents = postEvents.filter(event => postEffects.passed[event].seat)
const takesPart = sql`s.examine = 'passed' and takes_part(s.examine, s.pay_state, s.reduction_state) and not s.is_deleted
  and post_event(s.tenant_id, s.exam_id, s.id, s.code) = any(${seatEvents}::text[])`

/** On the shortlist of the results and not called yet. */
export const listUncalled = (db: TenantDb, examId: string): Promise<(RankedRow & { readonly shortlist: number })[]> =>
  db.all(sql<RankedRow & { shortlist: number }>`
    select s.id::text as "signupId", s.user_id::text as "userId", coalesce(s.name, '') as name, coalesce(s.code, '') as code, t.rank_in_post as rank,
      round(coalesce(t.written_total, t.interview_total), e.score_scale)::text as score, t.shortlist
    from score_total t join examination e on e.tenant_id = t.tenant_id and e.id = t.exam_id join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
    where t.exam_id = ${examId} and t.released and t.shortlist in (1, 2) and t.rank_in_post is not null and s.review_state = 0 and ${takesPart}
    order by s.code, t.rank_in_post, s.id`)

/** People in the re-review whom a correction of results took off the shortlist. */
export const countOff = async (db: TenantDb, examId: string): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from signup s join score_total t on t.tenant_id = s.tenant_id and t.signup_id = s.id and t.released
      where s.exam_id = ${examId} and s.review_state in (1, 2, 5) and s.stage < 5 and t.shortlist = 0 and ${takesPart}`)
  ).n

/** The next rank of a post that nobody of was called: everybody who shares it. */
export const nextInRank = (db: TenantDb, examId: string, code: string): Promise<RankedRow[]> =>
  db.all(sql<RankedRow>`
    with left_over as (
      select s.id, s.user_id, s.name, s.code, t.rank_in_post as rank, round(coalesce(t.written_total, t.interview_total), e.score_scale) as score
      from score_total t join examination e on e.tenant_id = t.tenant_id and e.id = t.exam_id join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
      where t.exam_id = ${examId} and t.released and s.code = ${code} and t.rank_in_post is not null and t.passed is not false and s.review_state = 0 and ${takesPart})
    select id::text as "signupId", user_id::text as "userId", coalesce(name, '') as name, code, rank, score::text as score from left_over
    where rank = (select min(rank) from left_over) order by id`)

/** Those still in the re-review of a post: waiting, asked for more, or passed. */
export const countInReview = async (db: TenantDb, examId: string, code: string): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from signup s
      where s.exam_id = ${examId} and s.code = ${code} and s.review_state in (1, 2, 5) and s.examine = 'passed' and not s.is_deleted`)
  ).n

/** The same of every post at once. */
export const countsInReview = async (db: TenantDb, examId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ code: string; n: number }>`
    select s.code, count(*)::int as n from signup s
    where s.exam_id = ${examId} and s.review_state in (1, 2, 5) and s.examine = 'passed' and not s.is_deleted group by s.code`)
  return new Map(rows.map(({ code, n }) => [code, n]))
}

/** Whether anybody of this examination was called to a re-review. */
export const hasRecheck = async (db: TenantDb, examId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from signup where exam_id = ${examId} and review_state > 0 limit 1`)) !== undefined

/** The next rank by total of people who may enter the medical check. */
export const nextByTotal = (db: TenantDb, examId: string, code: string, afterRecheck: boolean): Promise<RankedRow[]> =>
  db.all(sql<RankedRow>`
    with left_over as (
      select s.id, s.user_id, s.name, s.code, t.rank_in_post as rank, round(t.total, e.score_scale) as score
      from score_total t join examination e on e.tenant_id = t.tenant_id and e.id = t.exam_id join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
      where t.exam_id = ${examId} and t.released and s.code = ${code} and t.rank_in_post is not null and t.total is not null and t.passed is not false
        and s.stage < 5 and s.shortlist <> 3 and ${takesPart}
        and ${afterRecheck ? sql`s.review_state = 2` : sql`s.review_state = 0`})
    select id::text as "signupId", user_id::text as "userId", coalesce(name, '') as name, code, rank, score::text as score from left_over
    where rank = (select min(rank) from left_over) order by id`)

/** Places of a post that somebody holds after the interview. */
export const countInStages = async (db: TenantDb, examId: string, code: string): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from signup s where s.exam_id = ${examId} and s.code = ${code} and s.stage between 5 and 8 and not s.is_deleted`)
  ).n

/** Lets people into the re-review. */
export const enterReview = async (db: TenantDb, examId: string, people: readonly RankedRow[], kind: 1 | 2): Promise<void> => {
  const ids = people.map(person => person.signupId)
  await db.run(sql`
    update signup set review_state = 1, shortlist = ${kind}, stage = 3, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where id = any(${ids}::bigint[]) and review_state = 0`)
  await db.run(sql`
    insert into selection_person (tenant_id, signup_id, exam_id, user_id, code, kind, rank, score, created_by, updated_by)
    select ${db.actor.tenantId}, s, ${examId}, u, c, ${kind}, r, t, ${db.actor.userId}, ${db.actor.userId}
    from unnest(${ids}::bigint[], ${people.map(person => person.userId)}::bigint[], ${people.map(person => person.code)}::text[], ${people.map(person => person.rank)}::int[],
      ${people.map(person => person.score)}::text[]) as g(s, u, c, r, t)`)
}

/** Moves the state of the re-review; false when it was another one meanwhile. */
export const moveReview = async (
  db: TenantDb,
  signupId: string,
  move: { readonly from: RecheckState; readonly to: RecheckState },
  set: { readonly remark?: string | null; readonly stage?: number; readonly shortlist?: number; readonly isDecision?: boolean } = {},
): Promise<boolean> =>
  (await db.run(sql`
    update signup set review_state = ${recheckMachine.wire[move.to]}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
      ${set.stage === undefined ? sql`` : sql`, stage = ${set.stage}`} ${set.shortlist === undefined ? sql`` : sql`, shortlist = ${set.shortlist}`}
      ${set.isDecision ? sql`, review_remark = ${set.remark ?? null}, review_time = app_now(), review_user = ${db.actor.userId}` : sql``}
    where id = ${signupId} and review_state = ${recheckMachine.wire[move.from]}`)) === 1

/** Moves a sign-up to another stage; its re-review stays as it is. */
export const moveStage = async (db: TenantDb, signupId: string, move: { readonly from: number; readonly to: number }): Promise<boolean> =>
  (await db.run(sql`
    update signup set stage = ${move.to}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where id = ${signupId} and stage = ${move.from}`)) === 1

export const storePapers = async (
  db: TenantDb,
  signupId: string,
  set: { readonly files?: readonly PaperFile[]; readonly advisements?: readonly Advice[] },
): Promise<void> => {
  await db.run(sql`
    update selection_person set updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
      ${set.files === undefined ? sql`` : sql`, files = ${JSON.stringify(set.files)}`}
      ${set.advisements === undefined ? sql`` : sql`, advisements = ${JSON.stringify(set.advisements)}`}
    where signup_id = ${signupId}`)
}

/** Lets somebody into the medical check, with or without a re-review before. */
export const enterStages = async (db: TenantDb, person: RankedRow & { readonly examId: string }, kind: 1 | 2): Promise<void> => {
  await db.run(
    sql`update signup set stage = 5, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${person.signupId}`,
  )
  await db.run(sql`
    insert into selection_person (tenant_id, signup_id, exam_id, user_id, code, kind, stage_kind, stage_rank, stage_total, created_by, updated_by)
    values (${db.actor.tenantId}, ${person.signupId}, ${person.examId}, ${person.userId}, ${person.code}, 0, ${kind}, ${person.rank}, ${person.score}, ${db.actor.userId}, ${db.actor.userId})
    on conflict (tenant_id, signup_id) do update set stage_kind = excluded.stage_kind, stage_rank = excluded.stage_rank, stage_total = excluded.stage_total, step = 'open',
      step_date = null, step_remark = null, step_until = null, updated_by = excluded.updated_by, updated_at = app_now(), version = selection_person.version + 1`)
}

export const moveStep = async (
  db: TenantDb,
  person: PersonRow,
  to: {
    readonly step: StepState
    readonly stage?: number
    readonly endedStage?: number
    readonly date?: string | null
    readonly remark?: string | null
    readonly until?: Date | null
    readonly rechecked?: boolean
  },
): Promise<boolean> => {
  const moved = await db.run(sql`
    update selection_person set step = ${to.step}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
      ${to.date === undefined ? sql`` : sql`, step_date = ${to.date}`} ${to.remark === undefined ? sql`` : sql`, step_remark = ${to.remark}`}
      ${to.until === undefined ? sql`` : sql`, step_until = ${to.until}`} ${to.rechecked === undefined ? sql`` : sql`, rechecked = ${to.rechecked}`}
      ${to.endedStage === undefined ? sql`` : sql`, ended_stage = ${to.endedStage}`}
    where signup_id = ${person.signupId} and step = ${person.step}`)
  if (moved !== 1) return false
  if (to.stage !== undefined)
    await db.run(
      sql`update signup set stage = ${to.stage}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${person.signupId} and stage = ${person.stage}`,
    )
  return true
}

/** Medical checks that were not passed and for which nobody asked for a second one in time. */
export const listLapsed = (db: TenantDb, now: Date, limit: number): Promise<{ signupId: string }[]> =>
  db.all(sql<{ signupId: string }>`
    select signup_id::text as "signupId" from selection_person where step = 'failing' and step_until <= ${now} order by step_until limit ${limit}`)

/** Sign-ups of the examination that took part and were not chosen, all of them. */
export const endOthers = (db: TenantDb, examId: string): Promise<{ signupId: string; userId: string; code: string }[]> =>
  db.all(sql<{ signupId: string; userId: string; code: string }>`
    update signup s set stage = 9, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where s.exam_id = ${examId} and s.stage < 5 and s.examine = 'passed' and not s.is_deleted
    returning s.id::text as "signupId", s.user_id::text as "userId", coalesce(s.code, '') as code`)
export const countOpen = async (db: TenantDb, examId: string): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from signup s join selection_person p on p.tenant_id = s.tenant_id and p.signup_id = s.id
      where s.exam_id = ${examId} and not s.is_deleted and (s.stage between 5 and 7 or s.stage = 8 and p.step <> 'passed' or s.review_state in (1, 5))`)
  ).n

/** Answers of the form: which papers are asked for may depend on them. */
export const findAnswers = async (db: TenantDb, signupId: string): Promise<Readonly<Record<string, unknown>>> =>
  (await db.one(sql<{ content: Readonly<Record<string, unknown>> }>`select content from signup where id = ${signupId}`)).content

/** Which of these files their owner handed in for a re-review. */
export const filesOfReReviews = async (db: TenantDb, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select f.id::text as id from stored_file f join selection_person p on p.tenant_id = f.tenant_id and p.user_id = f.user_id
      where f.tenant_id = ${db.actor.tenantId} and f.id = any(${[...ids]}::bigint[]) and p.files::text like '%' || f.id || '%'`)
  ).map(({ id }) => id)
