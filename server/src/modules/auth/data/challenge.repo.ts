import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** How many captchas of either kind this address asked for since then. */
export const countAsked = async (db: TenantDb, ip: string, since: Date): Promise<number> => {
  const { n } = await db.one(sql<{ n: number }>`
    select count(*)::int as n from login_challenge
    where (kind = 'captcha' or kind = 'work' and purpose = 'login') and ip = ${ip} and created_at > ${since}`)
  return n
}

export interface NewChallenge {
  readonly key: string
  readonly kind: 'captcha' | 'sms'
  readonly answerHash: string
  readonly phoneIndex?: string
  /** Of a browser that the owner of the phone is known by. */
  readonly deviceHash?: string | undefined
  readonly triesMax: number
  readonly ip: string
  readonly until: Date
  readonly now: Date
}
export const insertChallenge = async (db: TenantDb, one: NewChallenge): Promise<void> => {
  await db.run(sql`
    insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, phone_index, device_hash, tries_max, ip, until, created_at)
    values (${db.actor.tenantId}, ${one.key}, ${one.kind}, 'login', ${one.answerHash}, ${one.phoneIndex ?? null}, ${one.deviceHash ?? null}, ${one.triesMax},
      ${one.ip}, ${one.until}, ${one.now})`)
}

export interface SpentWork {
  readonly key: string
  readonly purpose: string
  readonly workBits: number
  readonly ip: string
  readonly until: Date
  readonly now: Date
}
/** Writes down that work was used. @returns false where it had been */
export const insertSpentWork = async (db: TenantDb, work: SpentWork): Promise<boolean> =>
  (await db.run(sql`
    insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, work_bits, tries, tries_max, ip, until, used_at, created_at)
    values (${db.actor.tenantId}, ${work.key}, 'work', ${work.purpose}, '', ${work.workBits}, 1, 1, ${work.ip}, ${work.until}, ${work.now}, ${work.now})
    on conflict do nothing`)) > 0

interface Limit {
  readonly most: number
  readonly ms: number
}
export interface SmsLimits {
  readonly phone: readonly Limit[]
}
/** Until when no further code is sent to a phone, null where there is room, counted for each browser that its owner is known by and for all others together; and how many this address asked for in `addressMs`. */
export const smsBusyUntil = (
  db: TenantDb,
  of: {
    readonly phoneIndex: string
    readonly deviceHash: string | undefined
    readonly ip: string
    readonly now: Date
    readonly limits: SmsLimits
    readonly addressMs: number
  },
): Promise<{ readonly until: Date | null; readonly ofAddress: number }> => {
  const { phoneIndex, deviceHash, ip, now, limits, addressMs } = of
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  /** The message whose age makes room again: the newest of as many as are allowed in the time. */
  const nth = (whose: RawBuilder<unknown>, { most, ms }: Limit) => sql`
    (select created_at + make_interval(secs => ${ms / 1000}) from login_challenge
      where kind = 'sms' and ${whose} and created_at > ${ago(ms)} order by created_at desc offset ${most - 1} limit 1)`
  const ofPhone = limits.phone.map(limit =>
    nth(sql`phone_index = ${phoneIndex} and device_hash is not distinct from ${deviceHash ?? null}`, limit),
  )
  return db.one(sql<{ until: Date | null; ofAddress: number }>`
    select greatest(${sql.join(ofPhone)}) as until,
      (select count(*)::int from login_challenge where kind = 'sms' and ip = ${ip} and created_at > ${ago(addressMs)}) as "ofAddress"`)
}

/** Gives back a code that was right, where what it was for did not come about: it may be sent again until its time is over. */
export const giveBackCode = (db: TenantDb, key: string, phoneIndex: string, now: Date): Promise<unknown> =>
  db.run(sql`
    update login_challenge set used_at = null
    where key = ${key} and kind = 'sms' and phone_index = ${phoneIndex} and used_at is not null and until > ${now}`)

export interface GivenAnswer {
  readonly key: string
  readonly answerHash: string
  readonly phoneIndex: string | undefined
}
/** One statement counts the try and uses the challenge up where the answer is right. @returns whether it is; `over` where no challenge waits for one */
export const tryChallenge = async (db: TenantDb, kind: 'captcha' | 'sms', given: GivenAnswer, now: Date): Promise<boolean | 'over'> => {
  const isSamePhone = given.phoneIndex === undefined ? sql`true` : sql`phone_index = ${given.phoneIndex}`
  const isAnswer = sql`answer_hash = ${given.answerHash}`
  const row = await db.maybe(sql<{ isRight: boolean }>`
    update login_challenge set tries = tries + 1, used_at = case when ${isAnswer} and ${isSamePhone} then ${now}::timestamptz end
    where key = ${given.key} and kind = ${kind} and used_at is null and until > ${now} and tries < tries_max
    returning used_at is not null as "isRight"`)
  if (row === undefined) return 'over'
  return row.isRight
}
