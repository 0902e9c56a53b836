import { createHash } from 'node:crypto'
import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { workAnswer, workText, zeroBits } from '#contract/auth/work.ts'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { countAsked, giveBackCode, insertChallenge, type SmsLimits, smsBusyUntil, tryChallenge } from '../data/challenge.repo.ts'

const captchaMs = 5 * 60_000
const smsMs = 5 * 60_000
const smsTries = 5
const captchasPerMinute = 300

const answerHash = (key: string, answer: string): string => hashToken(`${key}|${foldGroups(answer).toLowerCase()}`)

/** How many captchas of either kind this address asked for in the last minute; too many are refused (decision 4.7). */
const countCaptchas = async (db: TenantDb, ip: string, now: Date): Promise<number> => {
  const n = await countAsked(db, ip, new Date(now.getTime() - 60_000))
  if (n >= captchasPerMinute) throw new Refused(refuseAuth('auth/captcha-frequency', {}, { retryAfterSeconds: 60 }))
  return n
}

/** Stores the answer of a new captcha; one try, five minutes, 300 a minute per address (decision 4.7). */
export const createCaptchaChallenge = async (db: TenantDb, answer: string, ip: string, now: Date): Promise<string> => {
  await countCaptchas(db, ip, now)
  const key = newToken()
  await insertChallenge(db, {
    key,
    kind: 'captcha',
    answerHash: answerHash(key, answer),
    triesMax: 1,
    ip,
    until: new Date(now.getTime() + captchaMs),
    now,
  })
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
  await insertChallenge(db, {
    key,
    kind: 'work',
    answerHash: '',
    workBits: bits,
    triesMax: 1,
    ip,
    until: new Date(now.getTime() + captchaMs),
    now,
  })
  return { key, bits }
}
/** Zero bits that an answer shows; -1 for what cannot be one. */
const bitsOf = (key: string, answer: string): number => {
  if (!workAnswer.test(answer)) return -1
  const hash = createHash('sha256').update(workText(key, answer)).digest()
  return zeroBits(Array.from({ length: hash.length / 4 }, (_, i) => hash.readUInt32BE(i * 4)))
}

const hourMs = 3_600_000
const smsLimits: SmsLimits = {
  phone: [
    { most: 1, ms: 60_000 },
    { most: 5, ms: hourMs },
    { most: 10, ms: 24 * hourMs },
  ],
  address: { most: 100, ms: hourMs },
}
/** How long that is, for a sentence. */
const waitText = (seconds: number): Label => {
  const [many, zh, en] = seconds < 120 ? [seconds, '秒', 'second'] : [Math.ceil(seconds / 60), '分钟', 'minute']
  return { zh: `${many} ${zh}`, en: `${many} ${en}${many === 1 ? '' : 's'}` }
}

/** SMS code: 1 a minute, 5 an hour, 10 a day per phone, 100 an hour per address. */
export const createSmsChallenge = async (
  db: TenantDb,
  request: { phoneIndex: string; code: string; ip: string; now: Date },
): Promise<string> => {
  const { phoneIndex, code, ip, now } = request
  // Requests that arrive together are counted one after another, or all of them would see room for one more.
  await lock(db, `sms-address|${ip}`)
  await lock(db, `sms-phone|${phoneIndex}`)
  const { until } = await smsBusyUntil(db, { phoneIndex, ip, now, limits: smsLimits })
  if (until !== null) {
    const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
    throw new Refused(refuseAuth('auth/sms-frequency', { wait: waitText(seconds) }, { retryAfterSeconds: seconds, data: { seconds } }))
  }
  const key = newToken()
  await insertChallenge(db, {
    key,
    kind: 'sms',
    answerHash: answerHash(key, code),
    phoneIndex,
    triesMax: smsTries,
    ip,
    until: new Date(now.getTime() + smsMs),
    now,
  })
  return key
}

interface Answer {
  readonly key: string
  readonly answer: string
}
/**
 * Checks a captcha of either kind: one statement counts the try and uses it up where the answer is right. The caller must commit it even when
 * it is wrong.
 */
export const checkCaptcha = (db: TenantDb, { key, answer }: Answer, now: Date): Promise<boolean> =>
  tryChallenge(db, 'captcha', { key, answerHash: answerHash(key, answer), workBits: bitsOf(key, answer), phoneIndex: undefined }, now)

/** The same of a code that was sent by SMS. Whoever sends codes checks them by `check-sms-code.ts`, under the counter of the account. */
export const tryCode = (db: TenantDb, { key, answer, phoneIndex }: Answer & { readonly phoneIndex: string }, now: Date): Promise<boolean> =>
  tryChallenge(db, 'sms', { key, answerHash: answerHash(key, answer), workBits: -1, phoneIndex }, now)

/** What a right code was for did not come about: the person may send it again. */
export const giveBackSmsCode = (db: TenantDb, key: string, phoneIndex: string, now: Date): Promise<unknown> =>
  giveBackCode(db, key, phoneIndex, now)
