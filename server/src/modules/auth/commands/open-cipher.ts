import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { type OpenedSm2, openSm2 } from '#kernel/crypto/sm2.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { spendCipher } from '../data/cipher.repo.ts'

/** A ciphertext of nothing: a point and a digest. */
export const isEmptyCipher = (cipherHex: string): boolean => /^[0-9a-fA-F]{192}$/.test(cipherHex)

/** Whether a value came SM2-sealed, and not as a client has it typed that seals nothing but the log-in (framework-contract 2.5.5). */
export const isSealed = (value: string): boolean => /^[0-9a-fA-F]{192,}$/.test(value)

/** The private keys that a ciphertext may be sealed for: the present one, and for a day the one before it. */
export type LoginKeys = () => readonly string[]

const tryOpen = (keys: LoginKeys, cipherHex: string): OpenedSm2 | undefined => {
  if (!/^[0-9a-fA-F]{194,1024}$/.test(cipherHex)) return undefined
  for (const key of keys()) {
    const opened = openSm2(key, cipherHex)
    if (opened) return opened
  }
  return undefined
}

/**
 * Opens a secret that came with the answer to a challenge: it is asked for in the message that tries the answer, and used up only where that is right.
 *
 * @returns how to wait for it; what that gives is undefined for whatever does not decrypt or was used before
 */
export const spendSecret = (
  db: TenantDb,
  keys: LoginKeys,
  cipherHex: string,
  challenge: string | undefined,
): (() => Promise<string | undefined>) => {
  const opened = tryOpen(keys, cipherHex)
  if (opened === undefined) return async () => undefined
  const spent = spendCipher(db, { digest: opened.digest, former: opened.former }, challenge)
  // Where the answer was wrong nobody waits for it; that the transaction has failed is told by its other statements.
  spent.catch(() => {})
  return async () => ((await spent) ? opened.plain : undefined)
}

/**
 * The plain text of a password or key that came SM2-sealed (S5.30), exactly as it was typed. A ciphertext is accepted once; md5 and plain text are
 * refused (decision 2.11).
 *
 * @throws auth/bad-cipher for whatever does not decrypt or was used before, without telling which
 */
export const openSecret = async (db: TenantDb, keys: LoginKeys, cipherHex: string): Promise<string> => {
  const plain = await spendSecret(db, keys, cipherHex, undefined)()
  if (plain === undefined) throw new Refused(refuseAuth('auth/bad-cipher', {}))
  return plain
}

/** The same of what is no secret by itself, as a phone or the number of a document: tidied like every text that comes in (ADR 0144). */
export const openText = async (db: TenantDb, keys: LoginKeys, cipherHex: string): Promise<string> =>
  tidyLine(await openSecret(db, keys, cipherHex))
