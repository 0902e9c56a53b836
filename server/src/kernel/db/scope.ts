import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient } from 'pg'
import type { Log } from '../log.ts'
import { createPipeline, type Pipeline, type StatementResult } from './pipeline.ts'
import type { DatabaseRole, Pools } from './pool.ts'
import { builder, type RawBuilder } from './sql.ts'
import { createStatementNames } from './statement-names.ts'
import { endsConnection, isDatabaseUnavailable, OutcomeUnknownError, readOnlyCode } from './unavailable.ts'

interface Somebody {
  readonly tenantId: string
  /** `0` for the system itself. */
  readonly userId: string
  /** Units that data scopes leave of a noun; a noun that is not named is whole. */
  readonly units?: Readonly<Record<string, readonly string[]>>
}
/** Departments that narrow what is reached, themselves and all below them; null: nothing is narrowed. */
type Departments = readonly string[] | null
/** On whose behalf statements run: row-level security sees exactly this. Whoever works as staff says what narrows them. */
export type Actor = Somebody &
  (
    | { readonly kind: 'staff'; readonly departments: Departments }
    | { readonly kind: 'candidate' | 'system' | 'platform'; readonly departments?: Departments }
  )

const rolesByKind: { readonly [K in Actor['kind']]: DatabaseRole } = {
  staff: 'kaopu_staff',
  candidate: 'kaopu_candidate',
  system: 'kaopu_system',
  platform: 'kaopu_platform',
}
/** Whether this actor reaches some of the tenant's rows only. */
export const isNarrowed = ({ departments, units }: Actor): boolean => (departments ?? null) !== null || Object.keys(units ?? {}).length > 0

/**
 * Policies that narrow hold for roles of their own, so that nobody else pays for them (ADR 0062). The choice and the settings those policies read
 * come from the same actor; on a role that is not narrowed the database shows nothing to settings that narrow.
 */
const roleOf = (actor: Actor): DatabaseRole => {
  const { kind } = actor
  // What was read from a queue or a file knows no types.
  if (kind === 'staff' && actor.departments === undefined) throw new Error('nobody works as staff without saying what narrows them')
  if (isNarrowed(actor) && (kind === 'staff' || kind === 'system')) return `kaopu_${kind}_narrow`
  return rolesByKind[kind]
}

declare const brand: unique symbol

/**
 * Statements of one open transaction. There is no way from a module to a connection without a scope. `send`, `leave`, `last`, `planAnew` and
 * `planOnce` steer how statements are sent and planned: they are for repositories alone.
 */
interface Database {
  readonly actor: Actor
  /** The instant the request arrived; SQL reads the same value through `app_now()`. */
  readonly now: Date
  all<T>(statement: RawBuilder<T>): Promise<T[]>
  /** The only row; a defect when there is none or more than one. */
  one<T>(statement: RawBuilder<T>): Promise<T>
  maybe<T>(statement: RawBuilder<T>): Promise<T | undefined>
  /** Rows touched. */
  run(statement: RawBuilder<unknown>): Promise<number>
  /**
   * Sends a statement whose outcome nobody looks at: it goes with the next one. When it fails, so does the transaction, at the latest at
   * its commit.
   */
  send(statement: RawBuilder<unknown>): void
  /** The same for a command whose statements are all given before its first wait. */
  leave(work: Promise<unknown>): void
  /**
   * The last statements of the transaction: they are given before the first wait of `work`, and the commit leaves with them. What they
   * bring back can no longer turn into a refusal that takes anything back.
   */
  last<T>(work: () => Promise<T>): Promise<T>
  /** Work that is undone alone when it fails, so that the transaction goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /**
   * From here to the end of the transaction every statement is planned for its own parameters, also those that are otherwise kept as
   * prepared plans: for transactions that change how the planner works, or whose tables have changed beyond recognition.
   */
  planAnew(): void
  /**
   * From here to the end of the transaction a statement that is kept as a prepared plan is planned once for all parameters. For look-ups
   * whose best index does not hang on them: the planner, which compares estimates only, would plan many of those anew each time, and that
   * takes longer than they do. `by index` keeps the planner from reading small tables from end to end, which asks row security of every row.
   */
  planOnce(how?: 'freely' | 'by index'): void
  /**
   * Called when the work is done and before the commit, in the order given: what must hold of the transaction as a whole. Whatever it throws
   * takes everything back. Not for work that ends with `last`.
   */
  beforeCommit(check: () => Promise<void>): void
  /** Called after the commit, never after a rollback. */
  afterCommit(work: () => void): void
}
/** Sees one tenant's rows only. */
export type TenantDb = Database & { readonly [brand]: 'tenant' }
/** Sees every tenant's rows: tenant administration and cross-tenant jobs. */
export type PlatformDb = Database & { readonly [brand]: 'platform' }

export interface Scopes {
  tx<T>(actor: Actor & { readonly kind: 'staff' | 'candidate' | 'system' }, now: Date, work: (db: TenantDb) => Promise<T>): Promise<T>
  /** Leaves the tenant wall; `because` is logged. */
  asPlatform<T>(because: string, now: Date, work: (db: PlatformDb) => Promise<T>): Promise<T>
}

const mostElsewhere = 2
const retryable = new Set(['40001', '40P01'])
/** A migration of another process changed a table under a kept plan; with a new name the statement is planned again. */
const planChanged = (error: unknown): boolean =>
  (error as { code?: string }).code === '0A000' && /cached plan/.test((error as Error).message)
/** Told to every statement of a transaction in which one has failed. */
const transactionBroken = '25P02'
const open = new AsyncLocalStorage<{ readonly statements: number[] }>()

/** Number of statements run inside `work`, for the sweep that keeps lists from growing one statement per row. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
  const counter = { statements: [0] }
  await open.run(counter, work)
  return counter.statements[0] ?? 0
}

/** What the transactions of a call have left in the database. */
export interface Effects {
  hasWritten: boolean
}
const noted = new AsyncLocalStorage<Effects>()
/** Notes whether a transaction of `work` has written and was committed, or may have been. */
export const noteEffects = <T>(effects: Effects, work: () => Promise<T>): Promise<T> => noted.run(effects, work)

const trials = new AsyncLocalStorage<true>()
/**
 * Runs work of which nothing stays: each of its transactions is rolled back when it ends, and none sees what another one wrote. For asking what a command would
 * answer; not for work that acts outside of the database.
 */
export const asTrial = <T>(work: () => Promise<T>): Promise<T> => trials.run(true, work)
class TrialOver extends Error {
  readonly result: unknown
  constructor(result: unknown) {
    super('a transaction that was only tried')
    this.result = result
  }
}

interface Opened {
  readonly isTrial: boolean
  readonly client: PoolClient
  readonly pipeline: Pipeline
  readonly nameOf: (text: string) => string | undefined
  readonly settings: readonly string[]
  readonly checks: (() => Promise<void>)[]
  readonly hooks: (() => void)[]
  /** What was sent and is not waited for by anybody else; the commit waits. */
  readonly unwaited: Promise<unknown>[]
  /** Why the first of them failed: what comes behind it only hears that the transaction is broken. */
  failure: unknown
  /** Set with the first statement: work that asks nothing opens no transaction. */
  hasBegun: boolean
  /** One batch is the whole transaction: the database begins and commits it by itself. */
  isSole: boolean
  /** Settled when it is committed or not, where the commit has left already. */
  committed: Promise<void> | undefined
  /** Set when the work has ended: a statement that comes later would run in somebody else's transaction. */
  isOver: boolean
}

const beginText = 'begin'
const transactionId = { text: 'select pg_current_xact_id_if_assigned() as id', name: 'transaction id' }
/** How a transaction plans once: with the access that estimates prefer, or by index wherever there is one. */
const planOnceCalls = {
  freely: `set_config('plan_cache_mode', 'force_generic_plan', true)`,
  'by index': `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
} as const
/** As `app_departments()` reads it: nothing for nobody to narrow, an empty list for somebody of no department. */
const departmentsText = (departments: Departments | undefined): string =>
  departments === null || departments === undefined ? '' : `{${departments.join(',')}}`
/** What row-level security and `app_now()` read, until the end of the transaction. */
const settingsText = `select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true), set_config('app.now', $3, true),
  set_config('app.departments', $4, true)`

/** As `app_units()` reads it; sent for somebody whose data scopes name units, which is nearly nobody. */
const unitsText = 'select set_config($1, $2::text[]::text, true)'

/** The database answers a commit of a failed transaction with a rollback and no error. */
const commit = async (pipeline: Pipeline): Promise<void> => {
  const { command } = await pipeline.send({ text: 'commit', name: 'commit' })
  if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit')
}

const rootOf = (opened: Opened, error: unknown): unknown =>
  (error as { code?: string }).code === transactionBroken ? (opened.failure ?? error) : error

const handle = (opened: Opened, actor: Actor, now: Date): Database => {
  const { client, pipeline, nameOf, settings, checks, hooks, unwaited } = opened
  let savepoints = 0
  let keepsPlans = true
  let beginsPlanned: keyof typeof planOnceCalls | undefined
  const leave = (sent: Promise<unknown>): void => {
    sent.catch((error: unknown) => {
      opened.failure ??= error
    })
    unwaited.push(sent)
  }
  const begin = (): void => {
    if (opened.isOver) throw new Error('a statement came after its transaction had ended: something was not awaited')
    if (opened.hasBegun) return
    opened.hasBegun = true
    if (!opened.isSole) leave(pipeline.send({ text: beginText, name: 'begin' }))
    leave(
      beginsPlanned === undefined
        ? pipeline.send({ text: settingsText, name: 'settings', values: settings })
        : pipeline.send({ text: `${settingsText}, ${planOnceCalls[beginsPlanned]}`, name: `settings ${beginsPlanned}`, values: settings }),
    )
    for (const [noun, units] of Object.entries(actor.units ?? {}))
      leave(pipeline.send({ text: unitsText, name: 'units', values: [`app.units_${noun}`, [...units]] }))
  }
  const command = (text: string): void => {
    begin()
    leave(pipeline.send({ text }))
  }
  const execute = <T>(statement: RawBuilder<T>): Promise<StatementResult> => {
    begin()
    const { sql: text, parameters } = statement.compile(builder)
    const counter = open.getStore()
    if (counter) counter.statements[0] = (counter.statements[0] ?? 0) + 1
    return pipeline.send({ text, name: keepsPlans ? nameOf(text) : undefined, values: parameters })
  }
  const answered = async <T>(statement: RawBuilder<T>): Promise<StatementResult> => {
    try {
      return await execute(statement)
    } catch (error) {
      // Where it was asked is worth knowing, not where the driver read the answer.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
  const all = async <T>(statement: RawBuilder<T>): Promise<T[]> => (await answered(statement)).rows as T[]
  return {
    actor,
    now,
    all,
    one: async statement => {
      const rows = await all(statement)
      const [row] = rows
      if (row === undefined || rows.length > 1) throw new Error(`expected exactly one row, got ${rows.length}`)
      return row
    },
    maybe: async statement => {
      const rows = await all(statement)
      if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}`)
      return rows[0]
    },
    run: async statement => (await answered(statement)).rowCount,
    send: statement => leave(execute(statement)),
    leave,
    last: async work => {
      if (opened.isTrial) return work()
      opened.isSole = !opened.hasBegun
      const result = work()
      if (opened.hasBegun) {
        opened.committed = opened.isSole ? pipeline.synced() : commit(pipeline)
        // Whoever waits for the work hears why; the commit itself is looked at by the transaction.
        opened.committed.catch(() => {})
      }
      opened.isOver = true
      return result
    },
    savepoint: async work => {
      savepoints += 1
      const name = `sp${savepoints}`
      const before = unwaited.length
      command(`savepoint ${name}`)
      try {
        const result = await work()
        command(`release savepoint ${name}`)
        return result
      } catch (error) {
        pipeline.flush()
        await client.query(`rollback to savepoint ${name}`)
        // What was sent since then is undone with the rest, whether or not it had worked.
        await Promise.allSettled(unwaited.splice(before))
        const cause = rootOf(opened, error)
        opened.failure = undefined
        throw cause
      }
    },
    planAnew: () => {
      keepsPlans = false
    },
    planOnce: (how = 'freely') => {
      if (!opened.hasBegun) {
        beginsPlanned = how
        return
      }
      begin()
      leave(pipeline.send({ text: `select ${planOnceCalls[how]}`, name: `plan-once ${how}` }))
    },
    beforeCommit: check => void checks.push(check),
    afterCommit: work => void hooks.push(work),
  }
}

/**
 * Opens transactions in the name of an actor. `begin` and the settings that row-level security reads go in one batch with the first
 * statement; statements that do not wait for each other (`Promise.all`) go in one batch and run in the order they were given. Work that
 * asks nothing costs nothing. A
 * deadlock or serialization failure is tried again at most twice, and so is what was under way when its connection ended before the commit had
 * left, so `work` must have no effect outside the database.
 */
export const createScopes = (pools: Pools, log: Log): Scopes => {
  const names = createStatementNames()
  const transact = async <T>(actor: Actor, now: Date, work: (db: Database) => Promise<T>): Promise<T> => {
    const settings = [actor.tenantId, actor.userId, now.toISOString(), departmentsText(actor.departments)]
    const effects = noted.getStore()
    let repeatedElsewhere = 0
    /**
     * A link that ended says nothing about the next one, which may lead to another server. Twice at most, because the first attempt after a lost link
     * may still go to the server that was lost; a database that is away is soon asked again.
     */
    const mayRepeatElsewhere = (error: unknown): boolean => {
      if (repeatedElsewhere === mostElsewhere || !isDatabaseUnavailable(error)) return false
      repeatedElsewhere += 1
      log.warn({ err: error }, 'transaction repeated on another connection')
      return true
    }
    for (let attempt = 1; ; attempt += 1) {
      let client: PoolClient
      try {
        client = await pools.take(roleOf(actor))
      } catch (error) {
        if (mayRepeatElsewhere(error)) continue
        throw error
      }
      const pipeline = createPipeline(client)
      const opened: Opened = {
        ...{ client, pipeline, nameOf: names.of, settings, checks: [], hooks: [], unwaited: [] },
        ...{ isTrial: trials.getStore() === true, failure: undefined, hasBegun: false, isSole: false, committed: undefined, isOver: false },
      }
      let failed: unknown
      try {
        const checked = async (): Promise<T> => {
          const done = await work(handle(opened, actor, now))
          for (const check of opened.checks) await check()
          if (opened.isTrial) {
            pipeline.flush()
            await Promise.all(opened.unwaited)
            throw new TrialOver(done)
          }
          return done
        }
        const result = await checked().finally(() => {
          opened.isOver = true
        })
        if (opened.hasBegun) {
          // Only a transaction that writes, or locks rows, has an id.
          const id = effects === undefined || opened.committed ? undefined : pipeline.send(transactionId)
          id?.catch(() => {})
          opened.committed ??= commit(pipeline)
          await Promise.all([opened.committed, ...opened.unwaited])
          if (effects !== undefined && (id === undefined || (await id).rows[0]?.['id'] !== null)) effects.hasWritten = true
        }
        for (const hook of opened.hooks) hook()
        return result
      } catch (error) {
        failed = rootOf(opened, error)
        // The commit has left and no answer came: nobody can say whether it was carried out.
        if (opened.committed !== undefined && endsConnection(failed))
          failed = new OutcomeUnknownError('the database connection was lost during the commit', { cause: failed })
        if (failed instanceof OutcomeUnknownError && effects !== undefined) effects.hasWritten = true
        if (pipeline.discard() && !opened.isSole)
          await client.query('rollback').catch((rollback: unknown) => {
            if (!(failed instanceof OutcomeUnknownError)) failed = new Error('the database connection was lost', { cause: rollback })
          })
      } finally {
        client.release(isDatabaseUnavailable(failed) || (failed instanceof Error && /connection/i.test(failed.message)))
      }
      if (failed instanceof TrialOver) return failed.result as T
      if (mayRepeatElsewhere(failed)) continue
      const code = (failed as { code?: string }).code ?? ''
      // A server that takes writes has refused one: the transaction has made itself read-only.
      if (code === readOnlyCode) throw new Error('a transaction that only reads was given something to write', { cause: failed })
      const isOutdated = planChanged(failed)
      if (isOutdated) names.renew()
      if (!(isOutdated || retryable.has(code)) || attempt === 3) throw failed
      log.warn({ code, attempt }, 'transaction repeated')
    }
  }
  return {
    tx: (actor, now, work) => {
      if (actor.tenantId === '') throw new Error('a tenant scope needs a tenant')
      return transact(actor, now, db => work(db as TenantDb))
    },
    asPlatform: (because, now, work) => {
      log.debug({ because }, 'platform scope')
      return transact({ kind: 'platform', tenantId: '', userId: '0' }, now, db => work(db as PlatformDb))
    },
  }
}

/** The acting system inside one tenant: jobs, calls before login, payment notices. */
export const systemOf = (tenantId: string): Actor & { kind: 'system' } => ({ kind: 'system', tenantId, userId: '0' })
