import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '#kernel/crypto/key-ring.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { token } from '#kernel/random.ts'
import { cookieOf, setCookie } from './cookies.ts'

/**
 * Browsers that somebody has logged in from (OWASP, "device cookies"). The cookie opens nothing: it exempts its owner from a lock-out that
 * strangers made, and has a budget of tries of its own. One cookie holds an entry for each of the last accounts of the browser, signed by a
 * key of the installation for exactly one account.
 */
const deviceCookie = 'kaopu-device'
const keptEntries = 5
const keptDays = 180
const dayMs = 24 * 3_600_000
const entryForm = /^([\w-]{12})\.([\w-]{22})\.(\d{1,6})\.([\w-]{43})$/

interface Owner {
  readonly tenantId: string
  readonly userId: string
}
interface Entry {
  readonly tag: string
  readonly number: string
  readonly day: number
  readonly text: string
}

const mac = (tokenKey: Uint8Array, text: string): string =>
  createHmac('sha256', createHmac('sha256', tokenKey).update('kaopu device cookie').digest()).update(text).digest('base64url')
/** Finds the entry of an account without naming the account in the cookie. */
const tagOf = (tokenKey: Uint8Array, { tenantId, userId }: Owner): string => mac(tokenKey, `tag|${tenantId}|${userId}`).slice(0, 12)
const signatureOf = (tokenKey: Uint8Array, { tenantId, userId }: Owner, number: string, day: number): string =>
  mac(tokenKey, `entry|${tenantId}|${userId}|${number}|${day}`)

const dayOf = (now: Date): number => Math.floor(now.getTime() / dayMs)

/** Entries whose time is not over, in the order of the cookie; whether they are genuine is seen when their owner is known. */
const entriesOf = (ctx: Ctx, now: Date): readonly Entry[] =>
  cookieOf(ctx, deviceCookie)
    .split('~')
    .slice(0, keptEntries)
    .flatMap(text => {
      const [, tag = '', number = '', day = ''] = entryForm.exec(text) ?? []
      const age = dayOf(now) - Number(day)
      return tag === '' || age < 0 || age >= keptDays ? [] : [{ tag, number, day: Number(day), text }]
    })

const genuine = (tokenKey: Uint8Array, owner: Owner, entry: Entry): boolean => {
  const signature = Buffer.from(entry.text.slice(-43))
  return timingSafeEqual(signature, Buffer.from(signatureOf(tokenKey, owner, entry.number, entry.day)))
}

/** Of the present key or one that was replaced: a browser stays known for the life of its cookie. */
const entryOf = (keys: KeyRing, ctx: Ctx, owner: Owner, now: Date): Entry | undefined => {
  const entries = entriesOf(ctx, now)
  for (const key of keys.accepted()) {
    const tag = tagOf(key, owner)
    const found = entries.find(entry => entry.tag === tag && genuine(key, owner, entry))
    if (found) return found
  }
  return undefined
}

/** What the tries of this browser are counted under; undefined for one that the account was never logged in from. */
export const deviceHashOf = (keys: KeyRing, ctx: Ctx, owner: Owner, now: Date): string | undefined => {
  const number = entryOf(keys, ctx, owner, now)?.number
  return number === undefined ? undefined : hashToken(number)
}

/** After a login: the browser is known from now on. The entries of its other accounts stay, the oldest makes room. */
export const keepDevice = (keys: KeyRing, ctx: Ctx, owner: Owner, now: Date, isSecure: boolean): void => {
  const before = entryOf(keys, ctx, owner, now)
  const number = before?.number ?? token(16)
  const tokenKey = keys.current()
  const tag = tagOf(tokenKey, owner)
  const day = dayOf(now)
  const own = `${tag}.${number}.${day}.${signatureOf(tokenKey, owner, number, day)}`
  const others = entriesOf(ctx, now)
    .filter(entry => entry.tag !== tag && entry.tag !== before?.tag)
    .map(entry => entry.text)
  const value = [own, ...others].slice(0, keptEntries).join('~')
  setCookie(ctx, deviceCookie, value, { path: '/api', maxAgeSeconds: (keptDays * dayMs) / 1000, isSecure })
}
