import type { Advisement } from '#contract/signup/content-diff.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import { countedIn } from '#kernel/db/figures.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface LockRow {
  readonly id: string
  readonly reviewerId: string
  readonly reviewerName: string
  readonly lockUntil: Date
  readonly openedAt: Date
}

/** The lock somebody holds at this moment, if anybody does. */
export const findLiveLock = (db: TenantDb, signupId: string): Promise<LockRow | undefined> =>
  db.maybe(sql<LockRow>`
    select id::text as id, reviewer_id::text as "reviewerId", reviewer_name as "reviewerName", lock_until as "lockUntil", opened_at as "openedAt"
    from examine_allot where signup_id = ${signupId} and state = 1 and lock_until > ${db.now} order by id desc limit 1`)

/** Whether somebody has ever opened a sign-up for its review at a level: then their lock has ended. */
export const hasOpened = async (db: TenantDb, signupId: string, level: 1 | 2, reviewerId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select from examine_allot where signup_id = ${signupId} and level = ${level} and reviewer_id = ${reviewerId} and opened_at is not null limit 1`)) !==
  undefined

/** Which of these sign-ups somebody holds at this moment. */
export const lockedAmong = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlyMap<string, Date>> =>
  new Map(
    (
      await db.all(sql<{ id: string; until: Date }>`
        select signup_id::text as id, max(lock_until) as until from examine_allot
        where signup_id = any(${[...signupIds]}::bigint[]) and state = 1 and lock_until > ${db.now} group by signup_id`)
    ).map(({ id, until }) => [id, until]),
  )

/**
 * Takes the lock of a sign-up for a reviewer, or renews it; somebody else's lock that has run out is taken over. Undefined when it
 * is held by another. One statement, so two reviewers who open it at once cannot both get it.
 */
export const takeLock = (
  db: TenantDb,
  lock: {
    signupId: string
    examId: string
    level: 1 | 2
    reviewerId: string
    reviewerName: string
    until: Date
    /** Only what was given to this reviewer; nothing of others, not even when their lock has run out. What was handed to somebody is never taken by opening it. */
    isOwnOnly?: boolean
  },
): Promise<LockRow | undefined> =>
  db.maybe(sql<LockRow>`
    insert into examine_allot (tenant_id, exam_id, signup_id, level, reviewer_id, reviewer_name, state, opened_at, lock_until, created_by)
    values (${db.actor.tenantId}, ${lock.examId}, ${lock.signupId}, ${lock.level}, ${lock.reviewerId}, ${lock.reviewerName}, 1, ${db.now}, ${lock.until}, ${lock.reviewerId})
    on conflict (tenant_id, signup_id, level) where state < 2 do update set
      reviewer_id = excluded.reviewer_id, reviewer_name = excluded.reviewer_name, state = 1,
      allotted = examine_allot.allotted and examine_allot.reviewer_id = excluded.reviewer_id, lock_until = excluded.lock_until,
      opened_at = case when examine_allot.reviewer_id = excluded.reviewer_id and examine_allot.state = 1 and examine_allot.lock_until > ${db.now} then examine_allot.opened_at else excluded.opened_at end
    where examine_allot.reviewer_id = excluded.reviewer_id
      or (${lock.isOwnOnly !== true} and not examine_allot.allotted and (examine_allot.state = 0 or examine_allot.lock_until <= ${db.now}))
    returning id::text as id, reviewer_id::text as "reviewerId", reviewer_name as "reviewerName", lock_until as "lockUntil", opened_at as "openedAt"`)

/** Closes a sign-up without a decision: what was given to the reviewer stays theirs, what was taken goes back to the pool. */
export const giveBackLock = async (db: TenantDb, signupId: string, reviewerId: string): Promise<boolean> =>
  (await db.run(
    sql`update examine_allot set state = case when allotted then 0 else 3 end, lock_until = null where signup_id = ${signupId} and reviewer_id = ${reviewerId} and state = 1`,
  )) > 0
export const finishLock = async (db: TenantDb, signupId: string, level: number): Promise<void> => {
  await db.run(sql`update examine_allot set state = 2, lock_until = null where signup_id = ${signupId} and level = ${level} and state < 2`)
}

export interface RecordRow {
  readonly id: string
  readonly level: number
  readonly result: number
  readonly remark: string | null
  readonly advisements: readonly Advisement[]
  readonly examinerName: string
  readonly createdAt: Date
  readonly signVersion: number
  readonly beforeState: SignupState
  readonly afterState: SignupState
  readonly durationMs: number | null
}
export const listRecords = (db: TenantDb, signupId: string): Promise<RecordRow[]> =>
  db.all(sql<RecordRow>`
    select id::text as id, level, result, remark, advisements, examiner_name as "examinerName", created_at as "createdAt", sign_version as "signVersion",
      before_state as "beforeState", after_state as "afterState", duration_ms as "durationMs"
    from examine_record where signup_id = ${signupId} and not undone order by id`)

/** Columns of a sign-up that a decision writes, as they stood before it. */
export interface Overwritten {
  readonly examine_remark: string | null
  readonly examine_time: string | null
  readonly examine_level: number
  readonly extend_until: string | null
  readonly advisements: readonly Advisement[]
  readonly photo_state: number
  readonly reviewer1_id: string | null
  readonly reviewer1_time: string | null
  readonly reviewer2_id: string | null
  readonly reviewer2_time: string | null
}
export const readOverwritten = (db: TenantDb, signupId: string): Promise<Overwritten> =>
  db.one(sql<Overwritten>`
    select examine_remark, examine_time::text, examine_level, extend_until::text, advisements, photo_state, reviewer1_id::text, reviewer1_time::text,
      reviewer2_id::text, reviewer2_time::text
    from signup where id = ${signupId}`)

/** The decision that counts last, as undoing it needs it: of the fourth level the return of a sign-up that had passed. */
export interface LastDecision {
  readonly id: string
  readonly level: 1 | 2 | 4
  readonly result: number
  readonly before: SignupState
  readonly after: SignupState
  readonly signVersion: number
  readonly examinerId: string
  readonly examinerName: string
  readonly createdAt: Date
  readonly overwritten: Overwritten | null
}
export const lastDecision = (db: TenantDb, signupId: string): Promise<LastDecision | undefined> =>
  db.maybe(sql<LastDecision>`
    select id::text as id, level, result, before_state as before, after_state as after, sign_version as "signVersion", examiner_id::text as "examinerId",
      examiner_name as "examinerName", created_at as "createdAt", before_value as overwritten
    from examine_record where signup_id = ${signupId} and (level in (1, 2) or level = 4 and result = 2) and not undone order by id desc limit 1`)
export const markUndone = async (db: TenantDb, recordId: string): Promise<boolean> =>
  (await db.run(
    sql`update examine_record set undone = true, undone_by = ${db.actor.userId}, undone_at = app_now() where id = ${recordId} and not undone`,
  )) === 1
/** Sign-ups that were given to reviewers of the next level go back, as nothing is to be done there any more. */
export const dropWaiting = async (db: TenantDb, signupId: string): Promise<void> => {
  await db.run(sql`update examine_allot set state = 3, lock_until = null where signup_id = ${signupId} and state < 2`)
}
/** Whether a ticket was made for this sign-up. */
export const hasTicket = async (db: TenantDb, signupId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from ticket where signup_id = ${signupId} and ticket_state <> 'void' and not is_deleted limit 1`)) !==
  undefined
/** Whether every role that lets this person decide at the level also lets them pull back (`role.isBack`, domain 2.1). */
export const mayPullBack = async (db: TenantDb, roleIds: readonly string[], permission: string): Promise<boolean> =>
  (
    await db.one(sql<{ may: boolean }>`
      select coalesce(bool_and(r.is_back = 1), false) as may from role r
      where r.id = any(${[...roleIds]}::bigint[]) and not r.is_deleted
        and exists (select 1 from role_menu m join menu b on b.id = m.menu_id where m.role_id = r.id and b.code = ${permission} and not b.is_deleted)`)
  ).may

export const insertRecord = async (
  db: TenantDb,
  r: {
    signupId: string
    examId: string
    userId: string
    signVersion: number
    level: number
    result: number
    remark: string | null
    advisements: readonly Advisement[]
    before: SignupState
    after: SignupState
    examinerId: string
    examinerName: string
    durationMs: number
    /** What the decision overwrites on the sign-up. */
    overwritten: Overwritten
  },
): Promise<string> => {
  const row = await db.one(sql<{ id: string }>`
    insert into examine_record (tenant_id, signup_id, exam_id, user_id, sign_version, level, result, remark, advisements, before_state, after_state, examiner_id, examiner_name, duration_ms, before_value)
    values (${db.actor.tenantId}, ${r.signupId}, ${r.examId}, ${r.userId}, ${r.signVersion}, ${r.level}, ${r.result}, ${r.remark}, ${JSON.stringify(r.advisements)}, ${r.before}, ${r.after},
      ${r.examinerId}, ${r.examinerName}, ${r.durationMs}, ${JSON.stringify(r.overwritten)})
    returning id::text as id`)
  return row.id
}

/** How many people an earlier end of an examination's windows concerns. */
export const countReach = (
  db: TenantDb,
  examId: string,
): Promise<{ readonly drafts: number; readonly returned: number; readonly waiting: number; readonly unpaid: number }> =>
  db.one(sql<{ drafts: number; returned: number; waiting: number; unpaid: number }>`
    select count(*) filter (where s.examine = 'draft')::int as drafts, ${countedIn(signupFigures.returned, 's')} as returned,
      ${countedIn(signupFigures.unexamined, 's')} as waiting,
      count(*) filter (where exists (select 1 from exam_pay p
        where p.tenant_id = s.tenant_id and p.signup_id = s.id and p.state = 'due' and not p.own_deadline and not p.is_deleted))::int as unpaid
    from signup s where s.exam_id = ${examId} and not s.is_deleted`)
