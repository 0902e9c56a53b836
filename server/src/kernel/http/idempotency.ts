import { createHash } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import type { TenantDb } from '../db/scope.ts'
import { sql } from '../db/sql.ts'
import { Refused } from './context.ts'

/** Digest of what a repeated key must repeat: route, input and the bytes of the files. */
export const inputDigest = (route: string, input: unknown, files: readonly { readonly part: string; readonly sha256: string }[]): string =>
  createHash('sha256')
    .update(JSON.stringify([route, input, files.map(file => [file.part, file.sha256])]))
    .digest('hex')

/**
 * Runs `work` once per key and person; a repetition gets the stored answer. The row is inserted before the effect, so a second
 * call that arrives meanwhile waits for the first one's commit (decision 4.2).
 */
export const once = async <T>(db: TenantDb, key: string, route: string, digest: string, work: () => Promise<T>): Promise<T> => {
  const inserted = await db.run(sql`
    insert into idempotency (tenant_id, user_id, key, route, digest) values (${db.actor.tenantId}, ${db.actor.userId}, ${key}, ${route}, ${digest})
    on conflict do nothing`)
  if (inserted === 0) {
    const stored = await db.one(sql<{ route: string; digest: string; answer: { value: T } | null }>`
      select route, digest, answer from idempotency where tenant_id = ${db.actor.tenantId} and user_id = ${db.actor.userId} and key = ${key}`)
    if (stored.route !== route || stored.digest !== digest || stored.answer === null)
      throw new Refused(refuse('kernel/idempotency-mismatch', {}))
    return stored.answer.value
  }
  const value = await work()
  db.send(sql`
    update idempotency set status = 200, answer = ${JSON.stringify({ value })}
    where tenant_id = ${db.actor.tenantId} and user_id = ${db.actor.userId} and key = ${key}`)
  return value
}

/** The stored answer of a key that was used before, for routes that talk to the outside world before their own transaction. */
export const recall = async <T>(db: TenantDb, key: string, route: string, digest: string): Promise<{ readonly value: T } | undefined> => {
  const stored = await db.maybe(sql<{ route: string; digest: string; answer: { value: T } | null }>`
    select route, digest, answer from idempotency where tenant_id = ${db.actor.tenantId} and user_id = ${db.actor.userId} and key = ${key}`)
  if (!stored) return undefined
  if (stored.route !== route || stored.digest !== digest || stored.answer === null)
    throw new Refused(refuse('kernel/idempotency-mismatch', {}))
  return stored.answer
}
