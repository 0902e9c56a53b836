import { createHash } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import { lock } from '../db/lock.ts'
import type { TenantDb } from '../db/scope.ts'
import { sql } from '../db/sql.ts'
import { Refused } from './context.ts'

/** Digest of what a repeated key must repeat: route, input and the bytes of the files. */
export const inputDigest = (route: string, input: unknown, files: readonly { readonly part: string; readonly sha256: string }[]): string =>
  createHash('sha256')
    .update(JSON.stringify([route, input, files.map(file => [file.part, file.sha256])]))
    .digest('hex')

interface Stored<T> {
  readonly route: string
  readonly digest: string
  readonly answer: { readonly value: T } | null
}

const findStored = <T>(db: TenantDb, key: string): Promise<Stored<T> | undefined> =>
  db.maybe(sql<Stored<T>>`
    select route, digest, answer from idempotency where tenant_id = ${db.actor.tenantId} and user_id = ${db.actor.userId} and key = ${key}`)

/** The answer a key stands for; somebody else's use of it is a mistake of the caller. */
const answerIn = <T>(stored: Stored<T>, route: string, digest: string): { readonly value: T } => {
  if (stored.route !== route || stored.digest !== digest || stored.answer === null)
    throw new Refused(refuse('kernel/idempotency-mismatch', {}))
  return stored.answer
}

/**
 * Runs `work` once per key and person; a repetition gets the stored answer. The key is locked before the effect, so a second call that
 * arrives meanwhile waits for the first one's commit (decision 4.2), and is looked up by a statement of its own: one that waits sees what
 * was there before it waited.
 */
export const once = async <T>(db: TenantDb, key: string, route: string, digest: string, work: () => Promise<T>): Promise<T> => {
  const [, stored] = await Promise.all([lock(db, `idempotency|${db.actor.userId}|${key}`), findStored<T>(db, key)])
  if (stored) return answerIn(stored, route, digest).value
  const value = await work()
  db.send(sql`
    insert into idempotency (tenant_id, user_id, key, route, digest, status, answer)
    values (${db.actor.tenantId}, ${db.actor.userId}, ${key}, ${route}, ${digest}, 200, ${JSON.stringify({ value })})`)
  return value
}

/** The stored answer of a key that was used before, for routes that talk to the outside world before their own transaction. */
export const recall = async <T>(db: TenantDb, key: string, route: string, digest: string): Promise<{ readonly value: T } | undefined> => {
  const stored = await findStored<T>(db, key)
  return stored && answerIn(stored, route, digest)
}
