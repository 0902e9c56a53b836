import { nameWords } from '#contract/person/person-name.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, byPinyin, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { ConflictItem } from '../domain/conflict.ts'
import { conflictColumns } from './recusal.repo.ts'

export type Level = 1 | 2
export const stateOfLevel: Readonly<Record<Level, SignupState>> = { 1: 'waiting', 2: 'second' }
const permissionOfLevel: Readonly<Record<Level, string>> = { 1: 'examine_first', 2: 'examine_second' }

export interface ExamUserRow {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly account: string
  readonly level: Level
  readonly units: readonly string[]
  readonly codes: readonly string[]
  readonly quota: number
  readonly state: 0 | 1
  /** Active, and with the right to decide at the level: others are given nothing. */
  readonly mayAct: boolean
  readonly version: number
}
export const listExamUsers = (db: TenantDb, examId: string, level?: number): Promise<ExamUserRow[]> =>
  db.all(sql<ExamUserRow>`
    select u.id::text as id, u.user_id::text as "userId", a.real_name as name, a.account, u.level, u.units, u.codes, u.quota, u.state, u.version,
      a.user_type = 1 and a.status = 1 and not a.is_deleted and exists (
        select 1 from account_role k join role r on r.id = k.role_id and not r.is_deleted and r.role_alias <> 'exam_admin'
        join role_menu rm on rm.role_id = r.id join menu m on m.id = rm.menu_id and not m.is_deleted
        where k.user_id = a.id and m.code = case u.level when 2 then 'examine_second' else 'examine_first' end) as "mayAct"
    from exam_user u join account a on a.id = u.user_id
    where u.exam_id = ${examId} and not u.is_deleted ${level === undefined ? sql`` : sql`and u.level = ${level}`} order by u.level, ${byPinyin(sql`a.real_name`)}, u.id`)

/** Accounts whose roles let them review at a level, whether or not the examination lists them. */
export const mayReview = (db: TenantDb, levels: readonly Level[], userIds?: readonly string[]) =>
  db.all(sql<{ userId: string; name: string; account: string; level: Level }>`
    select * from (select distinct a.id::text as "userId", a.real_name as name, a.account, case m.code when 'examine_second' then 2 else 1 end as level
    from account a join account_role ar on ar.user_id = a.id join role r on r.id = ar.role_id and not r.is_deleted
    join role_menu rm on rm.role_id = r.id join menu m on m.id = rm.menu_id and not m.is_deleted
    where a.user_type = 1 and a.status = 1 and not a.is_deleted and m.code = any(${levels.map(level => permissionOfLevel[level])})
      and r.role_alias <> 'exam_admin' ${userIds ? sql`and a.id = any(${[...userIds]}::bigint[])` : sql``}
    ) p order by ${byPinyin(sql`p.name`)}, p."userId"`)

export const saveExamUser = async (
  db: TenantDb,
  examId: string,
  user: { userId: string; level: number; units?: readonly string[]; codes?: readonly string[]; quota?: number; state?: number },
): Promise<void> => {
  const set = [
    ...(user.units ? [sql`units = ${JSON.stringify(user.units)}`] : []),
    ...(user.codes ? [sql`codes = ${JSON.stringify(user.codes)}`] : []),
    ...(user.quota === undefined ? [] : [sql`quota = ${user.quota}`]),
    ...(user.state === undefined ? [] : [sql`state = ${user.state}`]),
  ]
  await db.run(sql`
    insert into exam_user (tenant_id, exam_id, user_id, level, units, codes, quota, state, created_by, updated_by)
    values (${db.actor.tenantId}, ${examId}, ${user.userId}, ${user.level}, ${JSON.stringify(user.units ?? [])}, ${JSON.stringify(user.codes ?? [])}, ${user.quota ?? 0}, ${user.state ?? 1},
      ${db.actor.userId}, ${db.actor.userId})
    on conflict (tenant_id, exam_id, user_id, level) where not is_deleted
    do update set ${sql.join([...set, sql`updated_at = app_now()`, sql`updated_by = ${db.actor.userId}`, sql`version = exam_user.version + 1`])}`)
}
export const removeExamUser = async (db: TenantDb, examId: string, userId: string, level: number): Promise<boolean> =>
  (await db.run(sql`
    update exam_user set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where exam_id = ${examId} and user_id = ${userId} and level = ${level} and not is_deleted`)) === 1

/** Units that narrow whoever asks; undefined: the whole examination. */
export type Units = readonly string[] | undefined
const inUnits = (units: Units): RawBuilder<unknown> => (units === undefined ? sql`true` : sql`s.unit = any(${[...units]})`)

/** Gives what waits for a reviewer and is not open back to the pool; of everybody without `userId`. */
export const giveBackWaiting = (db: TenantDb, examId: string, level: number, userId?: string, units?: Units): Promise<number> =>
  db.run(sql`
    update examine_allot set state = 3, lock_until = null
    where exam_id = ${examId} and level = ${level} and (state = 0 or (state = 1 and lock_until <= ${db.now}))
      ${userId === undefined ? sql`` : sql`and reviewer_id = ${userId}`}
      ${units === undefined ? sql`` : sql`and signup_id in (select s.id from signup s where s.exam_id = ${examId} and ${inUnits(units)})`}`)

/** The same of what lies outside the units and posts for which a reviewer is listed. */
export const giveBackExcept = (db: TenantDb, examId: string, level: Level, userId: string): Promise<number> =>
  db.run(sql`
    update examine_allot a set state = 3, lock_until = null from signup s, exam_user u
    where a.exam_id = ${examId} and a.level = ${level} and a.reviewer_id = ${userId} and (a.state = 0 or (a.state = 1 and a.lock_until <= ${db.now})) and s.id = a.signup_id
      and u.exam_id = a.exam_id and u.user_id = a.reviewer_id and u.level = a.level and not u.is_deleted
      and not ((u.units = '[]' or u.units ? coalesce(s.unit, '')) and (u.codes = '[]' or u.codes ? coalesce(s.code, '')))`)

/** Of these units and posts, those that the post table of the examination has. */
export const knownPlaces = (
  db: TenantDb,
  examId: string,
  units: readonly string[],
  codes: readonly string[],
): Promise<{ units: readonly string[]; codes: readonly string[] }> =>
  db.one(sql<{ units: readonly string[]; codes: readonly string[] }>`
    select coalesce(array_agg(distinct unit) filter (where unit = any(${[...units]})), '{}') as units,
      coalesce(array_agg(distinct code) filter (where code = any(${[...codes]})), '{}') as codes
    from type_code where exam_id = ${examId} and not is_deleted`)

export interface WaitingItem extends ConflictItem {
  readonly signNo: string | null
  readonly code: string
  readonly name: string
  readonly reviewer1Id: string | null
}
/** What may be handed out: waiting, not open at anybody, and for `unallotted` given to nobody. */
export const listToAllot = (
  db: TenantDb,
  examId: string,
  level: Level,
  scope: 'unallotted' | 'rebalance',
  units?: Units,
  only?: readonly string[],
): Promise<WaitingItem[]> =>
  db.all(sql<WaitingItem>`
    select s.id::text as "signupId", s.sign_no as "signNo", coalesce(s.unit, '') as unit, coalesce(s.code, '') as code, coalesce(s.name, '') as name,
      s.reviewer1_id::text as "reviewer1Id", ${conflictColumns}
    from signup s
    where s.exam_id = ${examId} and s.examine = ${stateOfLevel[level]} and not s.is_deleted and ${inUnits(units)}
      ${only === undefined ? sql`` : sql`and s.id = any(${[...only]}::bigint[])`}
      and not exists (select 1 from examine_allot a where a.signup_id = s.id and a.level = ${level}
        and ${scope === 'unallotted' ? sql`a.state < 2 and (a.allotted or a.lock_until > ${db.now})` : sql`a.state = 1 and a.lock_until > ${db.now}`})
    order by s.submit_time, s.id`)

/** How many wait for each reviewer and are not about to be handed out anew. */
export const countWaiting = async (db: TenantDb, examId: string, level: Level, except: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db.all(sql<{ userId: string; n: number }>`
    select a.reviewer_id::text as "userId", count(*)::int as n from examine_allot a join signup s on s.id = a.signup_id
    where a.exam_id = ${examId} and a.level = ${level} and a.state < 2 and s.examine = ${stateOfLevel[level]} and not (a.signup_id = any(${[...except]}::bigint[]))
    group by a.reviewer_id`)
  return new Map(rows.map(row => [row.userId, row.n]))
}

/** The line of the trail about the last hand-out of an examination; 0 where there was none. */
export const lastAllotment = async (db: TenantDb, examId: string): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      select coalesce(max(id), 0)::text as id from audit_log where entity = 'examination' and entity_id = ${examId} and action = 'signup.allotted'`)
  ).id

/** One statement for all sign-ups of a large examination would take longer than a statement may. */
const rowsAtOnce = 5_000

/** Sign-ups that were given to somebody. */
const findHeld = async (db: TenantDb, examId: string, level: Level): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(
        sql<{ id: string }>`select signup_id::text as id from examine_allot where exam_id = ${examId} and level = ${level} and state < 2`,
      )
    ).map(row => row.id),
  )

/** Writes an allotment; what the sign-ups had before is marked as moved away. */
export const writeAllotment = async (
  db: TenantDb,
  examId: string,
  level: Level,
  rows: readonly { signupId: string; reviewerId: string; reviewerName: string }[],
  reason: string,
): Promise<void> => {
  // Planned while nothing was given to anybody, the mark looks through all that the portions before it wrote: minutes for two hundred thousand.
  const held = rows.length > rowsAtOnce ? await findHeld(db, examId, level) : undefined
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const portion = rows.slice(from, from + rowsAtOnce)
    const ids = portion.map(row => row.signupId)
    const had = held === undefined ? ids : ids.filter(id => held.has(id))
    if (had.length > 0)
      await db.run(
        sql`update examine_allot set state = 3, lock_until = null where signup_id = any(${had}::bigint[]) and level = ${level} and state < 2`,
      )
    await db.run(sql`
      insert into examine_allot (tenant_id, exam_id, signup_id, level, reviewer_id, reviewer_name, state, allotted, reason, created_by)
      select ${db.actor.tenantId}, ${examId}, t.signup_id, ${level}, t.reviewer_id, t.reviewer_name, 0, true, ${reason}, ${db.actor.userId}
      from unnest(${ids}::bigint[], ${portion.map(row => row.reviewerId)}::bigint[], ${portion.map(row => row.reviewerName)}::text[]) as t (signup_id, reviewer_id, reviewer_name)`)
  }
}

export const allotFigures = (db: TenantDb, examId: string, level: Level, overdueBefore: Date, units?: Units) =>
  db.one(sql<{ pool: number; allotted: number; done: number; overdue: number }>`
    with waiting as (
      select s.id, s.submit_time, exists (select 1 from examine_allot a where a.signup_id = s.id and a.level = ${level} and a.state < 2
        and (a.allotted or a.lock_until > ${db.now})) as given
      from signup s where s.exam_id = ${examId} and s.examine = ${stateOfLevel[level]} and not s.is_deleted and ${inUnits(units)})
    select count(*) filter (where not given)::int as pool, count(*) filter (where given)::int as allotted,
      count(*) filter (where submit_time < ${overdueBefore})::int as overdue,
      (select count(*) from examine_record r join signup s on s.id = r.signup_id where r.exam_id = ${examId} and r.level = ${level} and not r.undone and ${inUnits(units)})::int as done
    from waiting`)

export const reviewerFigures = (db: TenantDb, examId: string, level: Level, overdueBefore: Date, units?: Units) =>
  db.all(sql<{ userId: string; name: string; waiting: number; overdue: number; done: number; avgMinutes: number | null }>`
    with holding as (
      select a.reviewer_id as id, max(a.reviewer_name) as name, count(*)::int as waiting,
        count(*) filter (where s.submit_time < ${overdueBefore})::int as overdue from examine_allot a join signup s on s.id = a.signup_id
      where a.exam_id = ${examId} and a.level = ${level} and a.state < 2 and (a.allotted or a.lock_until > ${db.now})
        and s.examine = ${stateOfLevel[level]} and not s.is_deleted and ${inUnits(units)} group by a.reviewer_id),
    decided as (
      select r.examiner_id as id, max(r.examiner_name) as name, count(*)::int as done, round(avg(r.duration_ms) filter (where r.duration_ms > 0) / 60000, 1)::float8 as minutes
      from examine_record r join signup s on s.id = r.signup_id where r.exam_id = ${examId} and r.level = ${level} and not r.undone and ${inUnits(units)} group by r.examiner_id)
    select coalesce(h.id, d.id)::text as "userId", coalesce(h.name, d.name) as name, coalesce(h.waiting, 0) as waiting,
      coalesce(h.overdue, 0) as overdue, coalesce(d.done, 0) as done, d.minutes as "avgMinutes"
    from holding h full join decided d on d.id = h.id`)

/** Whether a sign-up waits for this reviewer, or was decided by them. */
export const isTheirs = async (db: TenantDb, signupId: string, userId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from examine_allot where signup_id = ${signupId} and reviewer_id = ${userId} and state in (0, 1, 2) limit 1`)) !== undefined

export interface AllottedRow {
  readonly signUpId: string
  readonly signNo: string | null
  readonly name: string | null
  readonly unit: string | null
  readonly unitName: string | null
  readonly code: string | null
  readonly codeName: string | null
  readonly userId: string | null
  readonly reviewerName: string | null
  readonly allotTime: Date | null
  readonly reason: string | null
  readonly submitTime: Date | null
  readonly isOpen: boolean
}
/** What waits at a level, with whoever it was given to. @param of.holder - a reviewer; null: given to nobody */
export const pageAllotted = async (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly level: Level
    readonly holder: string | null | undefined
    readonly overdueBefore: Date | undefined
    readonly keyword: string | undefined
    readonly units: Units
  },
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: AllottedRow[]; total: number }> => {
  const source = sql`
    signup s left join lateral (
      select a.reviewer_id, a.reviewer_name, a.created_at, a.reason, coalesce(a.state = 1 and a.lock_until > ${db.now}, false) as is_open from examine_allot a
      where a.signup_id = s.id and a.level = ${of.level} and a.state < 2 and (a.allotted or a.lock_until > ${db.now}) limit 1) a on true
    where ${allOf([
      sql`s.exam_id = ${of.examId} and s.examine = ${stateOfLevel[of.level]} and not s.is_deleted`,
      inUnits(of.units),
      of.holder === null && sql`a.reviewer_id is null`,
      typeof of.holder === 'string' && sql`a.reviewer_id = ${of.holder}`,
      of.overdueBefore !== undefined && sql`s.submit_time < ${of.overdueBefore}`,
      of.keyword !== undefined &&
        (/^\d{14}$/.test(of.keyword) ? sql`s.sign_no = ${of.keyword}` : wordsLike(sql`s.name`, nameWords(of.keyword))),
    ])}`
  const rows = await db.all(sql<AllottedRow>`
    select p.*, t.unit_name as "unitName", t.code_name as "codeName" from (
      select s.id::text as "signUpId", s.sign_no as "signNo", s.name, s.unit, s.code, s.submit_time as "submitTime", a.reviewer_id::text as "userId",
        a.reviewer_name as "reviewerName", a.created_at as "allotTime", a.reason, coalesce(a.is_open, false) as "isOpen", s.id
      from ${source} order by s.submit_time, s.id limit ${page.limit} offset ${page.offset}) p
    left join type_code t on t.exam_id = ${of.examId} and t.code = p.code and not t.is_deleted order by p."submitTime", p.id`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${source}`)
  return { rows, total }
}

/** One reviewer by the id of the row. */
export const findExamUser = (db: TenantDb, id: string): Promise<(Omit<ExamUserRow, 'mayAct'> & { readonly examId: string }) | undefined> =>
  db.maybe(sql<Omit<ExamUserRow, 'mayAct'> & { examId: string }>`
    select u.id::text as id, u.exam_id::text as "examId", u.user_id::text as "userId", a.real_name as name, a.account, u.level, u.units, u.codes, u.quota, u.state, u.version
    from exam_user u join account a on a.id = u.user_id where u.id = ${id} and not u.is_deleted`)

/** Whoever has a sign-up at a level, allotted or open at them. */
export const findHolder = (db: TenantDb, signupId: string, level: Level): Promise<{ userId: string; name: string } | undefined> =>
  db.maybe(sql<{ userId: string; name: string }>`
    select reviewer_id::text as "userId", reviewer_name as name from examine_allot
    where signup_id = ${signupId} and level = ${level} and state < 2 and (allotted or lock_until > ${db.now})`)
