import { createHash, randomUUID } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import type { FieldCipher, FieldPlace } from '../crypto/field.ts'
import { lock } from '../db/lock.ts'
import type { TenantDb } from '../db/scope.ts'
import { sql } from '../db/sql.ts'
import { isDatabaseUnavailable, NoPrimaryError, OutcomeUnknownError } from '../db/unavailable.ts'
import type { Log } from '../log.ts'
import { Refused } from './context.ts'

/** Digest of what a repeated key must repeat: route, input and the bytes of the files. */
export const inputDigest = (route: string, input: unknown, files: readonly { readonly part: string; readonly sha256: string }[]): string =>
  createHash('sha256')
    .update(JSON.stringify([route, input, files.map(file => [file.part, file.sha256])]))
    .digest('hex')

/** Seals what a key stands for: answers hold one-time passwords, revealed values and tokens at rest. */
export interface AnswerSeal {
  readonly seal: (tenantId: string, place: string, plain: string) => Buffer
  readonly open: (tenantId: string, place: string, sealed: Buffer) => string
}

export const answerSealOf = (cipher: FieldCipher): AnswerSeal => {
  const at = (rowId: string): FieldPlace => ({ table: 'idempotency', column: 'answer', rowId })
  return {
    seal: (tenantId, place, plain) => cipher.seal(tenantId, at(place), plain),
    open: (tenantId, place, sealed) => cipher.open(tenantId, at(place), sealed),
  }
}

interface Stored<T> {
  readonly route: string
  readonly digest: string
  /** Null while the call runs, and for good where it ended without one. */
  readonly answer: { readonly value: T } | { readonly sealed: string } | null
  /** Null while the call runs, and for good where its process died. */
  readonly status: number | null
  readonly createdAt: Date
}

const findStored = <T>(db: TenantDb, key: string): Promise<Stored<T> | undefined> =>
  db.maybe(sql<Stored<T>>`
    select route, digest, answer, status, created_at as "createdAt" from idempotency where tenant_id = ${db.actor.tenantId} and user_id = ${db.actor.userId} and key = ${key}`)

const placeOf = (db: TenantDb, key: string): string => `${db.actor.userId}:${key}`

/** The answer a key stands for; somebody else's use of it is a mistake of the caller. */
const answerIn = <T>(
  db: TenantDb,
  key: string,
  stored: Stored<T>,
  route: string,
  digest: string,
  seal: AnswerSeal,
): { readonly value: T } => {
  if (stored.route !== route || stored.digest !== digest) throw new Refused(refuse('kernel/idempotency-mismatch', {}))
  const { answer } = stored
  if (answer === null) throw new Refused(refuse('kernel/outcome-lost', {}))
  if ('value' in answer) return answer
  return JSON.parse(seal.open(db.actor.tenantId, placeOf(db, key), Buffer.from(answer.sealed, 'base64'))) as { value: T }
}

const textOf = (db: TenantDb, key: string, value: unknown, seal: AnswerSeal): string =>
  JSON.stringify({ sealed: seal.seal(db.actor.tenantId, placeOf(db, key), JSON.stringify({ value })).toString('base64') })

/**
 * Runs `work` once per key and person; a repetition gets the stored answer. The key is locked before the effect, so a second call that
 * arrives meanwhile waits for the first one's commit (decision 4.2), and is looked up by a statement of its own: one that waits sees what
 * was there before it waited.
 */
export const once = async <T>(
  db: TenantDb,
  key: string,
  route: string,
  digest: string,
  work: () => Promise<T>,
  seal: AnswerSeal,
): Promise<T> => {
  const [, stored] = await Promise.all([lock(db, `idempotency|${db.actor.userId}|${key}`), findStored<T>(db, key)])
  if (stored) return answerIn(db, key, stored, route, digest, seal).value
  const value = await work()
  db.send(sql`
    insert into idempotency (tenant_id, user_id, key, route, digest, status, answer)
    values (${db.actor.tenantId}, ${db.actor.userId}, ${key}, ${route}, ${digest}, 200, ${textOf(db, key, value, seal)})`)
  return value
}

/** The stored answer of a key that was used before, for routes that talk to the outside world before their own transaction. */
export const recall = async <T>(
  db: TenantDb,
  key: string,
  route: string,
  digest: string,
  seal: AnswerSeal,
): Promise<{ readonly value: T } | undefined> => {
  const stored = await findStored<T>(db, key)
  return stored && answerIn(db, key, stored, route, digest, seal)
}

/** A call that has not answered for so long has lost its process: no call may take that long. */
const claimMs = 5 * 60_000
/** Of a claim whose call ended and left no answer. */
const endedStatus = 500

/** What a route with transactions of its own gave back, with what it set in the head of the answer. */
interface Kept {
  /** A file is read again by a repetition: reading has no effect, and files are not kept here. */
  readonly isFile?: true
  readonly result?: unknown
  readonly head: readonly (readonly [name: string, value: string])[]
}
export interface Claim {
  /** The person, among those of all tenants. */
  readonly owner: string
  readonly key: string
  readonly route: string
  readonly digest: string
  readonly seal: AnswerSeal
  readonly tx: <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>
  readonly now: Date
}
interface ClaimedCall {
  readonly run: () => Promise<{ readonly result: unknown; readonly head: Kept['head'] }>
  readonly isRefused: (result: unknown) => boolean
  readonly isFile: (result: unknown) => boolean
  /** Of what the call threw: whether nothing was done. */
  readonly isNothing: (error: unknown) => boolean
}

/** Between attempts to write down how a call ended while there is no database. */
const againMs = 300

/** Writes down how claimed calls ended, also those that lost the database at their end: as soon as it is back. */
interface Endings {
  /** @returns when it is written down, or there is no database to write to now */
  readonly write: (name: string, work: () => Promise<unknown>) => Promise<void>
  /** Tries what is left of a claim at once, for a repetition that arrives before the next attempt. @throws what the attempt met */
  readonly catchUp: (name: string) => Promise<void>
}

const createEndings = (log: Log): Endings => {
  const left = new Map<string, () => Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined
  const later = (): void => {
    if (left.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      void Promise.allSettled([...left.keys()].map(attempt)).then(later)
    }, againMs)
    timer.unref()
  }
  const attempt = async (name: string): Promise<void> => {
    const work = left.get(name)
    if (!work) return
    try {
      await work()
    } catch (error) {
      // The work finds its claim by its own id, so that it may be done again where its commit was lost.
      if (isDatabaseUnavailable(error) || error instanceof OutcomeUnknownError) throw error
      log.error({ err: error }, 'how a call with a key of repetition ended was not written down')
    }
    if (left.get(name) === work) left.delete(name)
  }
  return {
    write: async (name, work) => {
      left.set(name, work)
      await attempt(name).catch(later)
    },
    catchUp: attempt,
  }
}

/**
 * `once` for routes that open transactions of their own. The key is claimed before anything is done, so the same call never runs twice: a
 * repetition gets the stored answer, is told to wait while the first one runs, and is told so where that one ended or died and left no answer. A call
 * that has done nothing gives its key back. Where the database goes away before that is written down, it is as soon as it is back.
 */
export const createClaimedOnce = (log: Log) => {
  const endings = createEndings(log)
  return async ({ owner, key, route, digest, seal, tx, now }: Claim, call: ClaimedCall): ReturnType<ClaimedCall['run']> => {
    const id = randomUUID()
    const name = `${owner} ${key}`
    const giveBack = () =>
      endings.write(name, () => tx(db => db.run(sql`delete from idempotency where claim = ${id} and answer is null and key = ${key}`)))
    const end = (status: number, answer: ((db: TenantDb) => string) | null) =>
      endings.write(name, () =>
        tx(db =>
          db.run(sql`
            update idempotency set status = ${status}, answer = ${answer === null ? null : answer(db)} where claim = ${id} and key = ${key} and answer is null`),
        ),
      )
    await endings.catchUp(name)
    let kept: Kept | undefined
    try {
      kept = await tx(async db => {
        await lock(db, `idempotency|${db.actor.userId}|${key}`)
        const stored = await findStored<Kept>(db, key)
        if (
          stored?.answer === null &&
          stored.status === null &&
          stored.route === route &&
          stored.digest === digest &&
          now.getTime() - stored.createdAt.getTime() < claimMs
        )
          throw new Refused(refuse('kernel/idempotency-running', {}, { retryAfterSeconds: 2 }))
        if (stored) return answerIn(db, key, stored, route, digest, seal).value
        await db.run(sql`
          insert into idempotency (tenant_id, user_id, key, route, digest, claim) values (${db.actor.tenantId}, ${db.actor.userId}, ${key}, ${route}, ${digest}, ${id})`)
        return undefined
      })
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error
      // Whether or not the claim was written: nothing else was done, and the key is free when the database is back.
      await giveBack()
      throw new NoPrimaryError('the database was lost while a key of repetition was claimed', { cause: error })
    }
    if (kept?.isFile) return call.run()
    if (kept) return { result: kept.result, head: kept.head }
    let done: Awaited<ReturnType<typeof call.run>>
    try {
      done = await call.run()
    } catch (error) {
      if (call.isNothing(error)) await giveBack()
      else await end(endedStatus, null)
      throw error
    }
    if (call.isRefused(done.result)) await giveBack()
    else {
      const value: Kept = call.isFile(done.result) ? { isFile: true, head: [] } : { result: done.result ?? null, head: done.head }
      await end(200, db => textOf(db, key, value, seal))
    }
    return done
  }
}
