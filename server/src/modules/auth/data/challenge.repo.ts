import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** How many captchas of either kind this address asked for since then. */
export const countAsked = async (db: TenantDb, ip: string, since: Date): Promise<number> => {
  const { n } = await db.one(sql<{ n: number }>`
    select count(*)::int as n from login_challenge
    where kind in ('captcha', 'work') and ip = ${ip} and created_at > ${since}`)
  return n
}

export interface NewChallenge {
  readonly key: string
  readonly kind: 'captcha' | 'work' | 'sms'
  /** Empty where the answer is work. */
  readonly answerHash: string
  readonly workBits?: number
  readonly phoneIndex?: string
  readonly triesMax: number
  readonly ip: string
  readonly until: Date
  readonly now: Date
}
export const insertChallenge = async (db: TenantDb, one: NewChallenge): Promise<void> => {
  await db.run(sql`
    insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, work_bits, phone_index, tries_max, ip, until, created_at)
    values (${db.actor.tenantId}, ${one.key}, ${one.kind}, 'login', ${one.answerHash}, ${one.workBits ?? null}, ${one.phoneIndex ?? null}, ${one.triesMax},
      ${one.ip}, ${one.until}, ${one.now})`)
}

/** Codes sent to a phone, and those asked for from an address, in the time before `now`. */
export const countSent = (
  db: TenantDb,
  { phoneIndex, ip, now }: { readonly phoneIndex: string; readonly ip: string; readonly now: Date },
): Promise<{ minute: number; hour: number; day: number; address: number }> => {
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  return db.one(sql<{ minute: number; hour: number; day: number; address: number }>`
    select count(*) filter (where phone_index = ${phoneIndex} and created_at > ${ago(60_000)})::int as minute,
      count(*) filter (where phone_index = ${phoneIndex} and created_at > ${ago(3_600_000)})::int as hour,
      count(*) filter (where phone_index = ${phoneIndex})::int as day,
      count(*) filter (where ip = ${ip} and created_at > ${ago(3_600_000)})::int as address
    from login_challenge where kind = 'sms' and created_at > ${ago(24 * 3_600_000)} and (phone_index = ${phoneIndex} or ip = ${ip})`)
}

export interface GivenAnswer {
  readonly key: string
  readonly answerHash: string
  /** Zero bits that the answer shows, where it is work. */
  readonly workBits: number
  readonly phoneIndex: string | undefined
}
/** One statement counts the try and uses the challenge up where the answer is right. @returns whether it is */
export const tryChallenge = async (db: TenantDb, kind: 'captcha' | 'sms', given: GivenAnswer, now: Date): Promise<boolean> => {
  const isSamePhone = given.phoneIndex === undefined ? sql`true` : sql`phone_index = ${given.phoneIndex}`
  // Work is as good as a picture.
  const isKind = kind === 'captcha' ? sql`kind in ('captcha', 'work')` : sql`kind = ${kind}`
  const isAnswer = sql`case kind when 'work' then work_bits <= ${given.workBits} else answer_hash = ${given.answerHash} end`
  const row = await db.maybe(sql<{ isRight: boolean }>`
    update login_challenge set tries = tries + 1, used_at = case when ${isAnswer} and ${isSamePhone} then ${now}::timestamptz end
    where key = ${given.key} and ${isKind} and used_at is null and until > ${now} and tries < tries_max
    returning used_at is not null as "isRight"`)
  return row?.isRight ?? false
}
