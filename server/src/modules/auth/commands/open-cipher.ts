import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { sm2CipherDigest, sm2Decrypt } from '#kernel/crypto/sm2.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { spendCipher } from '../data/cipher.repo.ts'

/** A ciphertext of nothing: a point and a digest. */
export const isEmptyCipher = (cipherHex: string): boolean => /^[0-9a-fA-F]{192}$/.test(cipherHex)

/** Whether a value came SM2-sealed, and not as a client has it typed that seals nothing but the log-in (framework-contract 2.5.5). */
export const isSealed = (value: string): boolean => /^[0-9a-fA-F]{192,}$/.test(value)

const digestOf = (cipherHex: string): string | undefined =>
  /^[0-9a-fA-F]{194,1024}$/.test(cipherHex) ? sm2CipherDigest(cipherHex) : undefined

/** As `openSecret`, undefined where that throws: for a transaction that must not be taken back. */
const tryOpenSecret = async (db: TenantDb, privateKey: string, cipherHex: string): Promise<string | undefined> => {
  const digest = digestOf(cipherHex)
  const plain = digest === undefined ? undefined : sm2Decrypt(privateKey, cipherHex)
  return digest !== undefined && plain !== undefined && (await spendCipher(db, digest)) ? plain : undefined
}

/**
 * The same of a secret that came with the answer to a challenge: it is asked for in the message that tries the answer, used up only where that is
 * right, and opened after that.
 *
 * @returns how to open it; what that gives is undefined for whatever does not decrypt or was used before
 */
export const spendSecret = (
  db: TenantDb,
  privateKey: string,
  cipherHex: string,
  challenge: string | undefined,
): (() => Promise<string | undefined>) => {
  const digest = digestOf(cipherHex)
  const spent = digest === undefined ? Promise.resolve(false) : spendCipher(db, digest, challenge)
  // Where the answer was wrong nobody waits for it; that the transaction has failed is told by its other statements.
  spent.catch(() => {})
  return async () => ((await spent) ? sm2Decrypt(privateKey, cipherHex) : undefined)
}

/**
 * The plain text of a password or key that came SM2-sealed (S5.30), exactly as it was typed. A ciphertext is accepted once; md5 and plain text are
 * refused (decision 2.11).
 *
 * @throws auth/bad-cipher for whatever does not decrypt or was used before, without telling which
 */
export const openSecret = async (db: TenantDb, privateKey: string, cipherHex: string): Promise<string> => {
  const plain = await tryOpenSecret(db, privateKey, cipherHex)
  if (plain === undefined) throw new Refused(refuseAuth('auth/bad-cipher', {}))
  return plain
}

/** The same of what is no secret by itself, as a phone or the number of a document: tidied like every text that comes in (ADR 0144). */
export const openText = async (db: TenantDb, privateKey: string, cipherHex: string): Promise<string> =>
  tidyLine(await openSecret(db, privateKey, cipherHex))
