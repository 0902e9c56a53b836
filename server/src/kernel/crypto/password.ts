import { timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hashRaw } from '@node-rs/argon2'
import { randomBytes } from '#kernel/random.ts'
import { createGate } from './gate.ts'
import { derivedOnce, type KeyRing, ringOf } from './key-ring.ts'
import { hmacSm3 } from './sm3.ts'

export interface PasswordHasherOptions {
  /** At least 32 bytes, held outside the database. Hashes with a former one verify and are due to be made again. */
  readonly pepper: Uint8Array | KeyRing
  /** Hashes computed at once; default the number of cores. Each takes 19 MiB. */
  readonly places?: number
  /** Waiting hashes before BusyError; default 200. */
  readonly queueLength?: number
  /** Of new hashes; default `COST`. Only tests ask for less: thousands of people log in there, and none of them has anything to lose. */
  readonly cost?: PasswordCost
}

export interface PasswordHasher {
  /** `$argon2id-sm3$v=19$m=19456,t=2,p=1$<salt>$<HMAC-SM3 of the Argon2id output>`, with `,keyid=<of the pepper>` once a pepper was replaced. @throws BusyError */
  readonly hash: (plain: string) => Promise<string>
  /** False for a wrong password and for a stored text of another form. @throws BusyError */
  readonly verify: (plain: string, stored: string) => Promise<boolean>
  /** True when a stored hash was made with other parameters than today's, or with a pepper that was replaced. */
  readonly needsRehash: (stored: string) => boolean
  /** Costs what `verify` costs; called for unknown accounts so that the time tells nothing. @throws BusyError */
  readonly dummyVerify: (plain: string) => Promise<void>
}

export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

/** OWASP's floor for Argon2id; raising it makes `needsRehash` true for older hashes, which the next login replaces. */
const COST: PasswordCost = { memoryKib: 19_456, passes: 2, lanes: 1 }
/** A stored row must not be able to order more work than this. */
const MAX_COST: PasswordCost = { memoryKib: 262_144, passes: 10, lanes: 8 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const ARGON2ID = 2

/** Password hashes: Argon2id, then HMAC-SM3 with the pepper (decision 2.11). */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const peppers = ringOf(options.pepper)
  if (peppers.current().length < 32) throw new Error('the pepper needs at least 32 bytes')
  const cost = options.cost ?? COST
  const gate = createGate(options.places ?? availableParallelism(), options.queueLength ?? 200)

  /** Before the first change hashes name none: a release before reads them too. */
  const wasReplaced = (): boolean => peppers.accepted().length > 1

  const digest = (plain: string, salt: Uint8Array, { memoryKib, passes, lanes }: PasswordCost): Promise<Buffer> =>
    gate.run(() =>
      hashRaw(plain.normalize('NFC'), {
        algorithm: ARGON2ID,
        memoryCost: memoryKib,
        timeCost: passes,
        parallelism: lanes,
        outputLen: HASH_BYTES,
        salt,
      }),
    )

  return {
    async hash(plain) {
      const salt = randomBytes(SALT_BYTES)
      const pepper = peppers.current()
      return format(cost, wasReplaced() ? pepperId(pepper) : undefined, salt, hmacSm3(pepper, await digest(plain, salt, cost)))
    },
    async verify(plain, stored) {
      const parsed = parse(stored)
      if (!parsed) return false
      const raw = await digest(plain, parsed.salt, parsed.cost)
      // All of them, so that the time does not tell which. One without a name is of a release before: any pepper may be its.
      const fits = peppers.accepted().map(pepper => timingSafeEqual(hmacSm3(pepper, raw), parsed.mac))
      return fits.includes(true)
    },
    needsRehash(stored) {
      const parsed = parse(stored)
      if (!parsed) return true
      const isOther = parsed.keyId === undefined ? wasReplaced() : parsed.keyId !== pepperId(peppers.current())
      return isOther || costText(parsed.cost) !== costText(cost)
    },
    async dummyVerify(plain) {
      await digest(plain, Buffer.alloc(SALT_BYTES), cost)
    },
  }
}

/** Tells peppers apart and nothing about them: the `keyid` of the PHC string format. */
export const pepperId = derivedOnce(pepper => base64(hmacSm3(pepper, 'kaopu pepper id v1').subarray(0, 6)))

const costText = (cost: PasswordCost): string => `m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}`

function format(cost: PasswordCost, keyId: string | undefined, salt: Uint8Array, mac: Uint8Array): string {
  return `$argon2id-sm3$v=19$${costText(cost)}${keyId === undefined ? '' : `,keyid=${keyId}`}$${base64(salt)}$${base64(mac)}`
}

const STORED =
  /^\$argon2id-sm3\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})(?:,keyid=([A-Za-z0-9+/]{8}))?\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

function parse(stored: string): { cost: PasswordCost; keyId: string | undefined; salt: Buffer; mac: Buffer } | undefined {
  const [, memoryKib, passes, lanes, keyId, salt, mac] = STORED.exec(stored) ?? []
  if (!salt || !mac) return undefined
  const cost = { memoryKib: Number(memoryKib), passes: Number(passes), lanes: Number(lanes) }
  const isAffordable =
    cost.memoryKib <= MAX_COST.memoryKib &&
    cost.passes >= 1 &&
    cost.passes <= MAX_COST.passes &&
    cost.lanes >= 1 &&
    cost.lanes <= MAX_COST.lanes
  return isAffordable ? { cost, keyId, salt: Buffer.from(salt, 'base64'), mac: Buffer.from(mac, 'base64') } : undefined
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
