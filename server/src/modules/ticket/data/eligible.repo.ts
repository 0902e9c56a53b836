import { postEffects, postEvents } from '#contract/signup/post-event.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { SeatFacts } from '../domain/seat-bar.ts'

export interface EligibleRow {
  readonly signupId: string
  readonly userId: string
  readonly signNo: string
  readonly code: string
  readonly unit: string
  /** Papers of the examination that the person sits. */
  readonly itemIds: readonly string[]
  /** Was granted an accessible room (amendment A19). */
  readonly needsAccess: boolean
}

/** Of a sign-up `s`, its post `p` and a paper `i`. */
const sits = sql`sits_paper(i.type_codes, i.item_code, p.item_codes, s.code)`

const getsRefund = sql`exists (select 1 from refund_waiting w where w.tenant_id = s.tenant_id and w.signup_id = s.id)`

/** A fee by rule that was deleted by hand, and no other one stands in its place. */
const feeDeleted = sql`exists (
  select 1 from exam_pay d where d.tenant_id = s.tenant_id and d.signup_id = s.id and d.voided_by is not null and d.source = 1 and not exists (
    select 1 from exam_pay o where o.tenant_id = d.tenant_id and o.signup_id = d.signup_id and o.item_id = d.item_id and o.state <> 'void' and not o.is_deleted))`

/** What was decided about the post of a sign-up `s`. */
const postEvent = sql`post_event(s.tenant_id, s.exam_id, s.id, s.code)`
const seatEvents = postEvents.filter(event => postEffects.passed[event].seat)

/** Takes part, nothing owed, no refund waiting (domain 7.4). `seatBar` says the same of one person, and why. */
export const eligibleCondition: RawBuilder<unknown> = sql`
  takes_part(s.examine, s.pay_state, s.reduction_state) and not s.is_deleted and s.pay_state in ('none', 'paid') and not ${getsRefund} and not ${feeDeleted}
  and ${postEvent} = any(${seatEvents}::text[])`

/** People who may sit at least one of the papers, by sign-up number. */
export const listEligible = (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<EligibleRow[]> =>
  db.all(sql<EligibleRow>`
    select s.id::text as "signupId", s.user_id::text as "userId", coalesce(s.sign_no, '') as "signNo", s.code, coalesce(s.unit, '') as unit,
      array_agg(i.id::text order by i.id) as "itemIds", exists (select 1 from accommodation a where a.tenant_id = s.tenant_id and a.exam_id = s.exam_id
        and a.signup_id = s.id and a.state = 'granted' and a.kinds ? 'room' and not a.is_deleted) as "needsAccess"
    from signup s
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    join exam_item i on i.exam_id = s.exam_id and i.id = any(${[...itemIds]}::bigint[]) and not i.is_deleted
    where s.exam_id = ${examId} and ${eligibleCondition} and ${sits}
    group by s.id, s.tenant_id order by s.sign_no`)

/** What of a sign-up may tell that two people know each other; `address` as stored, sealed or not. */
export interface RelationRow {
  readonly signupId: string
  readonly name: string
  readonly school: string
  readonly major: string
  readonly graduateDate: string
  readonly className: string
  readonly address: unknown
}
export const listRelations = (db: TenantDb, examId: string): Promise<RelationRow[]> =>
  db.all(sql<RelationRow>`
    select s.id::text as "signupId", coalesce(s.name, '') as name, coalesce(s.school, '') as school, coalesce(s.major, '') as major,
      coalesce(s.content ->> 'graduateDate', '') as "graduateDate", coalesce(s.content ->> 'className', '') as "className", s.content -> 'address' as address
    from signup s where s.exam_id = ${examId} and ${eligibleCondition}`)

/** Eligible people by paper. */
export const countEligible = async (db: TenantDb, examId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ itemId: string; count: number }>`
    select i.id::text as "itemId", count(*)::int as count
    from signup s
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    join exam_item i on i.exam_id = s.exam_id and not i.is_deleted
    where s.exam_id = ${examId} and ${eligibleCondition} and ${sits} group by i.id`)
  return new Map(rows.map(row => [row.itemId, row.count]))
}

/** Sign-ups of these papers that nobody has decided on yet. */
export const countPending = async (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<number> => {
  const { count } = await db.one(sql<{ count: number }>`
    select count(distinct s.id)::int as count
    from signup s
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    join exam_item i on i.exam_id = s.exam_id and i.id = any(${[...itemIds]}::bigint[]) and not i.is_deleted
    where s.exam_id = ${examId} and s.examine in ('waiting', 'second') and not s.is_deleted and ${sits}`)
  return count
}

/** Somebody who has passed, or holds a seat, and is left out of these papers; with what decides why. */
export interface LeftOutRow extends SeatFacts {
  readonly signupId: string
  readonly signNo: string
  readonly name: string
  /** Has a seat or ticket all the same. */
  readonly hasSeat: boolean
}
/** Who is left out of these papers, by sign-up number; at most so many. */
export const listLeftOut = (db: TenantDb, examId: string, itemIds: readonly string[], most: number): Promise<LeftOutRow[]> =>
  db.all(sql<LeftOutRow>`
    select s.id::text as "signupId", coalesce(s.sign_no, '') as "signNo", coalesce(s.name, '') as name, s.examine, s.pay_state as "payState", coalesce((
        select case when w.by_owner then 'own' else 'other' end from refund_waiting w where w.tenant_id = s.tenant_id and w.signup_id = s.id), 'none') as "refundWaits",
      s.reduction_state as "reductionState", ${feeDeleted} as "isFeeDeleted", ${postEvent} as "postEvent", k.has as "hasSeat"
    from signup s
    cross join lateral (select exists (
      select 1 from ticket k where k.tenant_id = s.tenant_id and k.signup_id = s.id and k.item_id = any(${[...itemIds]}::bigint[]) and not k.is_deleted) as has) k
    where s.exam_id = ${examId} and not s.is_deleted and (s.examine = 'passed' or k.has) and not (${eligibleCondition})
      and (k.has or exists (
        select 1 from exam_item i left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
        where i.exam_id = s.exam_id and i.id = any(${[...itemIds]}::bigint[]) and not i.is_deleted and ${sits}))
    order by s.sign_no, s.id limit ${most}`)

export interface Standing extends SeatFacts {
  /** Papers of the examination that the person would sit, eligible or not. */
  readonly itemIds: readonly string[]
}
/** A standing with what imports compare: post, number, and how the re-review ended. */
export interface PersonStanding extends Standing {
  readonly signupId: string
  readonly userId: string
  readonly signNo: string
  readonly code: string
  /** 2 passed the re-review (domain 4.3). */
  readonly reviewState: number
}
export const listStandings = (db: TenantDb, signupIds: readonly string[]): Promise<PersonStanding[]> =>
  db.all(sql<PersonStanding>`
    select s.id::text as "signupId", s.user_id::text as "userId", coalesce(s.sign_no, '') as "signNo", coalesce(s.code, '') as code, s.review_state as "reviewState",
      s.examine, s.pay_state as "payState", coalesce((
        select case when w.by_owner then 'own' else 'other' end from refund_waiting w where w.tenant_id = s.tenant_id and w.signup_id = s.id), 'none') as "refundWaits", s.reduction_state as "reductionState", ${feeDeleted} as "isFeeDeleted", ${postEvent} as "postEvent",
      coalesce((select array_agg(i.id::text) from exam_item i where i.exam_id = s.exam_id and not i.is_deleted and ${sits}), '{}') as "itemIds"
    from signup s left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    where s.id = any(${[...signupIds]}::bigint[]) and not s.is_deleted`)

export const standingOf = async (db: TenantDb, signupId: string): Promise<Standing | undefined> => (await listStandings(db, [signupId]))[0]

export const signupExam = async (db: TenantDb, signupId: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ examId: string }>`select exam_id::text as "examId" from signup where id = ${signupId}`))?.examId

/** The photo of a sign-up, as the file that holds it. */
export const photoOf = async (db: TenantDb, signupId: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ fileId: string | null }>`select photo_file_id::text as "fileId" from signup where id = ${signupId}`))?.fileId ??
  undefined

export const signupOf = (db: TenantDb, examId: string, userId: string): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`select id::text as id from signup where exam_id = ${examId} and user_id = ${userId} and not is_deleted`)

/** The accounts behind sign-ups, in the order of the sign-ups; all of them, or those who are entitled to sit. */
export const holdersOf = (db: TenantDb, signupIds: readonly string[], which: 'all' | 'entitled'): Promise<{ userId: string }[]> =>
  db.all(sql<{ userId: string }>`
    select s.user_id::text as "userId" from signup s
    where s.id = any(${[...signupIds]}::bigint[]) ${which === 'all' ? sql`` : sql`and ${eligibleCondition}`} order by s.id`)
