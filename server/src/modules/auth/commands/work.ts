import { createHash } from 'node:crypto'
import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { workAnswer, workHeader, workText, zeroBits } from '#contract/auth/work.ts'
import { openSignedNumber, signNumber } from '#kernel/crypto/signed-number.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { insertSpentWork } from '../data/challenge.repo.ts'

/** What work is good for: what was done for one opens no other. */
export type WorkFor = 'login' | 'captcha' | 'sms' | 'flow'

const workMs = 5 * 60_000
/** Work that any process of the installation knows again by its key: asking for it writes nothing down, so it can be asked for without end. */
export interface Work {
  /** 43 characters. */
  readonly key: string
  /** Zero bits that the hash has to begin with. */
  readonly bits: number
}
interface Place {
  readonly secret: Uint8Array
  readonly tenantId: string
  readonly purpose: WorkFor
  readonly now: Date
}

const signedFor = ({ secret, tenantId, purpose }: Place) => ({ secret, purpose: `work|${tenantId}|${purpose}` })

export const newWork = (place: Place, bits: number): Work => ({
  key: signNumber(signedFor(place), bits, new Date(place.now.getTime() + workMs)),
  bits,
})

/** Whether a key is that of work which was given out here and is not over. */
export const isWork = (place: Place, key: string): boolean => openSignedNumber(signedFor(place), key, place.now) !== undefined

/** Zero bits that an answer shows; -1 for what cannot be one. */
const bitsOf = (key: string, answer: string): number => {
  if (!workAnswer.test(answer)) return -1
  const hash = createHash('sha256').update(workText(key, answer)).digest()
  return zeroBits(Array.from({ length: hash.length / 4 }, (_, i) => hash.readUInt32BE(i * 4)))
}

/** Takes work that was done, once. @returns whether it was done and is spent now */
export const spendWork = async (
  db: TenantDb,
  place: Place,
  given: { readonly key: string; readonly answer: string; readonly ip: string },
): Promise<boolean> => {
  const work = openSignedNumber(signedFor(place), given.key, place.now)
  if (work === undefined || bitsOf(given.key, given.answer) < work.value) return false
  return insertSpentWork(db, {
    key: given.key,
    purpose: place.purpose,
    workBits: work.value,
    ip: given.ip,
    until: work.until,
    now: place.now,
  })
}

/** A tenth of a second on a desk; some seconds for the most, on an old phone a minute. */
const leastBits = 18
const mostBits = 22

/**
 * Lets a call pass from an address that has asked for less than so much lately. At a busy one, as a campus behind one address on the first day of
 * sign-up, nobody is refused: the browser is given work, and twice as much each time the address asks for twice as much.
 *
 * @param asked - how often the address has asked
 * @throws auth/address-busy with the work in its data, where it was not done yet
 */
export const passBusyAddress = async (
  ctx: Pick<Ctx, 'ip' | 'header'>,
  db: TenantDb,
  {
    asked,
    most,
    ...of
  }: { readonly asked: number; readonly most: number; readonly secret: Uint8Array; readonly purpose: WorkFor; readonly now: Date },
): Promise<void> => {
  if (asked < most) return
  const place = { ...of, tenantId: db.actor.tenantId }
  const [key = '', answer = ''] = (ctx.header(workHeader) ?? '').split('.')
  if (await spendWork(db, place, { key, answer, ip: ctx.ip })) return
  const bits = Math.min(mostBits, leastBits + Math.floor(Math.log2(asked / most)))
  throw new Refused({ ...refuseAuth('auth/address-busy', {}), data: { work: newWork(place, bits) } })
}
