import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { countAsked, giveBackCode, insertChallenge, type SmsLimits, smsBusyUntil, tryChallenge } from '../data/challenge.repo.ts'
import { isWork, newWork, passBusyAddress, spendWork, type Work } from './work.ts'

const captchaMs = 5 * 60_000
const smsMs = 5 * 60_000
const smsTries = 5

const answerHash = (key: string, answer: string): string => hashToken(`${key}|${foldGroups(answer).toLowerCase()}`)

/** How often an address may ask before its browsers have work to do; of the tenant's parameters. */
export interface BusyAddress {
  readonly captchaMinute: number
  readonly smsHour: number
  readonly flowMinute: number
}

/** How many captchas of either kind this address was given in the last minute. */
const countCaptchas = (db: TenantDb, ip: string, now: Date): Promise<number> => countAsked(db, ip, new Date(now.getTime() - 60_000))

/** Whose call it is, and what it is judged by. */
export interface ChallengeDeps {
  readonly ctx: Pick<Ctx, 'ip' | 'header'>
  /** Signs work that is given out. */
  readonly secret: Uint8Array
  readonly busy: BusyAddress
  readonly now: Date
}

/** Stores the answer of a new captcha; one try, five minutes. @throws auth/address-busy */
export const createCaptchaChallenge = async (db: TenantDb, answer: string, deps: ChallengeDeps): Promise<string> => {
  const { ctx, secret, busy, now } = deps
  await passBusyAddress(ctx, db, { asked: await countCaptchas(db, ctx.ip, now), most: busy.captchaMinute, secret, purpose: 'captcha', now })
  const key = newToken()
  await insertChallenge(db, {
    key,
    kind: 'captcha',
    answerHash: answerHash(key, answer),
    triesMax: 1,
    ip: ctx.ip,
    until: new Date(now.getTime() + captchaMs),
    now,
  })
  return key
}

/** A quarter of a second on a desk, some seconds on an old phone; who asks often has to work harder. */
const leastWorkBits = 17
const mostWorkBits = 22
const askedPerBit = 30

/** The same without a picture: the answer is work (`#contract/auth/work.ts`), good once within five minutes, counted with the pictures when it is used. */
export const createWorkChallenge = async (db: TenantDb, { ctx, secret, now }: Omit<ChallengeDeps, 'busy'>): Promise<Work> => {
  const bits = Math.min(mostWorkBits, leastWorkBits + Math.floor((await countCaptchas(db, ctx.ip, now)) / askedPerBit))
  return newWork({ secret, tenantId: db.actor.tenantId, purpose: 'login', now }, bits)
}

const hourMs = 3_600_000
const smsLimits: SmsLimits = {
  phone: [
    { most: 1, ms: 60_000 },
    { most: 5, ms: hourMs },
    { most: 10, ms: 24 * hourMs },
  ],
}
/** How long that is, for a sentence. */
const waitText = (seconds: number): Label => {
  const [many, zh, en] =
    seconds < 120
      ? [seconds, '秒', 'second']
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), '分钟', 'minute']
        : [Math.ceil(seconds / 3_600), '小时', 'hour']
  return { zh: `${many} ${zh}`, en: `${many} ${en}${many === 1 ? '' : 's'}` }
}
/** Why no code is sent now, and what whoever waits for long can do instead: strangers may have asked for the codes. */
const busyText = (seconds: number): { readonly why: Label; readonly wait: Label; readonly instead: Label } => ({
  wait: waitText(seconds),
  ...(seconds <= 60
    ? { why: { zh: '每分钟只发送一条短信验证码', en: 'One code a minute is sent to a number' }, instead: { zh: '', en: '' } }
    : {
        why: {
          zh: '此号码的验证码已发满（不论由谁获取，每小时 5 条、每天 10 条）',
          en: 'This number has had all its codes (5 an hour and 10 a day, whoever asks for them)',
        },
        instead: {
          zh: '；已有账号的，现在可用密码登录，或在以前登录过的浏览器中获取',
          en: '. If you have an account, log in by password now, or ask in a browser in which you have logged in before',
        },
      }),
})

/** SMS code: 1 a minute, 5 an hour, 10 a day per phone, what strangers ask for apart from what a browser does that its owner is known by; an address that asks for many gives work. @throws auth/sms-frequency, auth/address-busy */
export const createSmsChallenge = async (
  db: TenantDb,
  request: { readonly phoneIndex: string; readonly code: string; readonly deviceHash?: string | undefined },
  deps: ChallengeDeps,
): Promise<string> => {
  const { phoneIndex, code, deviceHash } = request
  const { ctx, secret, busy, now } = deps
  const { ip } = ctx
  // Requests that arrive together are counted one after another, or all of them would see room for one more.
  await lock(db, `sms-phone|${phoneIndex}`)
  const { until, ofAddress } = await smsBusyUntil(db, { phoneIndex, deviceHash, ip, now, limits: smsLimits, addressMs: hourMs })
  if (until !== null) {
    const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
    throw new Refused(refuseAuth('auth/sms-frequency', busyText(seconds), { retryAfterSeconds: seconds, data: { seconds } }))
  }
  await passBusyAddress(ctx, db, { asked: ofAddress, most: busy.smsHour, secret, purpose: 'sms', now })
  const key = newToken()
  await insertChallenge(db, {
    key,
    kind: 'sms',
    answerHash: answerHash(key, code),
    phoneIndex,
    deviceHash,
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
 * Checks a captcha of either kind and uses it up where the answer is right; a picture also where it is wrong. The caller must commit it even when it
 * is wrong.
 */
export const checkCaptcha = async (
  db: TenantDb,
  { key, answer }: Answer,
  { ctx, secret, now }: Omit<ChallengeDeps, 'busy'>,
): Promise<boolean> => {
  const place = { secret, tenantId: db.actor.tenantId, purpose: 'login', now } as const
  // Sent at once: statements of the same message look at what it has used up.
  if (isWork(place, key)) return spendWork(db, place, { key, answer, ip: ctx.ip })
  return (await tryChallenge(db, 'captcha', { key, answerHash: answerHash(key, answer), phoneIndex: undefined }, now)) === true
}

/** The same of a code that was sent by SMS. Whoever sends codes checks them by `check-sms-code.ts`. @returns `over` where no such code waits: used, too old, tried too often, or never sent to this number from here */
export const tryCode = (
  db: TenantDb,
  { key, answer, phoneIndex }: Answer & { readonly phoneIndex: string },
  now: Date,
): Promise<boolean | 'over'> => tryChallenge(db, 'sms', { key, answerHash: answerHash(key, answer), phoneIndex }, now)

/** What a right code was for did not come about: the person may send it again. */
export const giveBackSmsCode = (db: TenantDb, key: string, phoneIndex: string, now: Date): Promise<unknown> =>
  giveBackCode(db, key, phoneIndex, now)
