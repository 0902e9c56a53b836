import type { FieldCipher } from '../crypto/field.ts'
import type { TenantDb } from '../db/scope.ts'
import type { Ctx } from './context.ts'
import { answerSealOf, inputDigest, once, recall } from './idempotency.ts'

/**
 * How a call that opens its own transactions keeps the promise of the Idempotency-Key: `recalled` is what the same call was answered before,
 * and `once` runs its last transaction a single time, by `run` where the caller's own is not enough.
 */
export const keyedCall = <T>(
  cipher: FieldCipher,
  ctx: Ctx,
  route: string,
  input: unknown,
  run: (work: (db: TenantDb) => Promise<T>) => Promise<T> = work => ctx.tx(work),
) => {
  const key = ctx.header('idempotency-key')
  const digest = inputDigest(route, input, ctx.files)
  const seal = answerSealOf(cipher)
  return {
    recalled: async (): Promise<{ readonly value: T } | undefined> =>
      key ? ctx.tx(db => recall<T>(db, key, route, digest, seal)) : undefined,
    once: (work: (db: TenantDb) => Promise<T>): Promise<T> =>
      run(db => (key ? once(db, key, route, digest, () => work(db), seal) : work(db))),
  }
}
