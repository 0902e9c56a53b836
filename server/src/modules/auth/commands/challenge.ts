import { createHash } from 'node:crypto'
import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { workAnswer, workText, zeroBits } from '#contract/auth/work.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { Refused } from '#kernel/http/context.ts'

const captchaMs = 5 * 60_000
const smsMs = 5 * 60_000
const smsTries = 5
const captchasPerMinute = 300

const answerHash = (key: string, answer: string): string => hashToken(`${key}|${answer.trim().toLowerCase()}`)

/** How many captchas of either kind this address asked for in the last minute; too many are refused (decision 4.7). */
const countCaptchas = async (db: TenantDb, ip: string, now: Date): Promise<number> => {
  const { n } = await db.one(sql<{ n: number }>`
    select count(*)::int as n from login_challenge
    where kind in ('captcha', 'work') and ip = ${ip} and created_at > ${new Date(now.getTime() - 60_000)}`)
  if (n >= captchasPerMinute) throw new Refused(refuseAuth('auth/captcha-frequency', {}, { retryAfterSeconds: 60 }))
  return n
}

/** Stores the answer of a new captcha; one try, five minutes, 300 a minute per address (decision 4.7). */
export const createCaptchaChallenge = async (db: TenantDb, answer: string, ip: string, now: Date): Promise<string> => {
  await countCaptchas(db, ip, now)
  const key = newToken()
  await db.run(sql`
    insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, tries_max, ip, until, created_at)
    values (${db.actor.tenantId}, ${key}, 'captcha', 'login', ${answerHash(key, answer)}, 1, ${ip}, ${new Date(now.getTime() + captchaMs)}, ${now})`)
  return key
}

/** A quarter of a second on a desk, some seconds on an old phone; who asks often has to work harder. */
const leastWorkBits = 17
const mostWorkBits = 22
const askedPerBit = 30

/** The same without a picture: the answer is work (`#contract/auth/work.ts`). One try, five minutes, counted with the pictures. */
export const createWorkChallenge = async (db: TenantDb, ip: string, now: Date): Promise<{ key: string; bits: number }> => {
  const bits = Math.min(mostWorkBits, leastWorkBits + Math.floor((await countCaptchas(db, ip, now)) / askedPerBit))
  const key = newToken()
  await db.run(sql`
    insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, work_bits, tries_max, ip, until, created_at)
    values (${db.actor.tenantId}, ${key}, 'work', 'login', '', ${bits}, 1, ${ip}, ${new Date(now.getTime() + captchaMs)}, ${now})`)
  return { key, bits }
}
/** Zero bits that an answer shows; -1 for what cannot be one. */
const bitsOf = (key: string, answer: string): number => {
  if (!workAnswer.test(answer)) return -1
  const hash = createHash('sha256').update(workText(key, answer)).digest()
  return zeroBits(Array.from({ length: hash.length / 4 }, (_, i) => hash.readUInt32BE(i * 4)))
}

/** SMS code: 1 a minute, 5 an hour, 10 a day per phone, 100 an hour per address. */
export const createSmsChallenge = async (
  db: TenantDb,
  request: { phoneIndex: string; code: string; ip: string; now: Date },
): Promise<string> => {
  const { phoneIndex, code, ip, now } = request
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  // Requests that arrive together are counted one after another, or all of them would see room for one more.
  await lock(db, `sms-address|${ip}`)
  await lock(db, `sms-phone|${phoneIndex}`)
  const sent = await db.one(sql<{ minute: number; hour: number; day: number; address: number }>`
    select count(*) filter (where phone_index = ${phoneIndex} and created_at > ${ago(60_000)})::int as minute,
      count(*) filter (where phone_index = ${phoneIndex} and created_at > ${ago(3_600_000)})::int as hour,
      count(*) filter (where phone_index = ${phoneIndex})::int as day,
      count(*) filter (where ip = ${ip} and created_at > ${ago(3_600_000)})::int as address
    from login_challenge where kind = 'sms' and created_at > ${ago(24 * 3_600_000)} and (phone_index = ${phoneIndex} or ip = ${ip})`)
  if (sent.minute >= 1 || sent.hour >= 5 || sent.day >= 10 || sent.address >= 100)
    throw new Refused(refuseAuth('auth/sms-frequency', {}, { retryAfterSeconds: 60 }))
  const key = newToken()
  await db.run(sql`
    insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, phone_index, tries_max, ip, until, created_at)
    values (${db.actor.tenantId}, ${key}, 'sms', 'login', ${answerHash(key, code)}, ${phoneIndex}, ${smsTries}, ${ip}, ${new Date(now.getTime() + smsMs)}, ${now})`)
  return key
}

/**
 * Checks an answer: one statement counts the try and uses the challenge up where the answer is right. The caller must commit it even when
 * it is wrong.
 */
export const checkChallenge = async (
  db: TenantDb,
  kind: 'captcha' | 'sms',
  given: { key: string; answer: string; phoneIndex?: string },
  now: Date,
): Promise<boolean> => {
  const isSamePhone = given.phoneIndex === undefined ? sql`true` : sql`phone_index = ${given.phoneIndex}`
  // Work is as good as a picture.
  const isKind = kind === 'captcha' ? sql`kind in ('captcha', 'work')` : sql`kind = ${kind}`
  const isAnswer = sql`case kind when 'work' then work_bits <= ${bitsOf(given.key, given.answer)} else answer_hash = ${answerHash(given.key, given.answer)} end`
  const row = await db.maybe(sql<{ isRight: boolean }>`
    update login_challenge set tries = tries + 1, used_at = case when ${isAnswer} and ${isSamePhone} then ${now}::timestamptz end
    where key = ${given.key} and ${isKind} and used_at is null and until > ${now} and tries < tries_max
    returning used_at is not null as "isRight"`)
  return row?.isRight ?? false
}
