import { AsyncLocalStorage } from 'node:async_hooks'
import pg, { type PoolClient } from 'pg'
import type { Log } from '../log.ts'
import type { DatabaseRole, Pools } from './pool.ts'
import { builder, type RawBuilder } from './sql.ts'

/** On whose behalf statements run: row-level security sees exactly this. */
export interface Actor {
  readonly kind: 'staff' | 'candidate' | 'system' | 'platform'
  readonly tenantId: string
  /** `0` for the system itself. */
  readonly userId: string
}

const roleOf: { readonly [K in Actor['kind']]: DatabaseRole } = {
  staff: 'kaopu_staff',
  candidate: 'kaopu_candidate',
  system: 'kaopu_system',
  platform: 'kaopu_platform',
}

declare const brand: unique symbol

/** Statements of one open transaction. There is no way from a module to a connection without a scope. */
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
  /** Work that is undone alone when it fails, so that the transaction goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** Called after the commit, never after a rollback. */
  afterCommit(work: () => void): void
}
/** Sees one tenant's rows only. */
export type TenantDb = Database & { readonly [brand]: 'tenant' }
/** Sees every tenant's rows: tenant administration and cross-tenant jobs. */
export type PlatformDb = Database & { readonly [brand]: 'platform' }

export interface Scopes {
  tx<T>(actor: Actor & { kind: 'staff' | 'candidate' | 'system' }, now: Date, work: (db: TenantDb) => Promise<T>): Promise<T>
  /** Leaves the tenant wall; `because` is logged. */
  asPlatform<T>(because: string, now: Date, work: (db: PlatformDb) => Promise<T>): Promise<T>
}

const retryable = new Set(['40001', '40P01'])
const open = new AsyncLocalStorage<{ readonly statements: number[] }>()

/** Number of statements run inside `work`, for the sweep that keeps lists from growing one statement per row. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
  const counter = { statements: [0] }
  await open.run(counter, work)
  return counter.statements[0] ?? 0
}

const handle = (client: PoolClient, actor: Actor, now: Date, hooks: (() => void)[]): Database => {
  let savepoints = 0
  const execute = async <T>(statement: RawBuilder<T>) => {
    const compiled = statement.compile(builder)
    const counter = open.getStore()
    if (counter) counter.statements[0] = (counter.statements[0] ?? 0) + 1
    return client.query(compiled.sql, [...compiled.parameters])
  }
  const all = async <T>(statement: RawBuilder<T>): Promise<T[]> => (await execute(statement)).rows as T[]
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
    run: async statement => (await execute(statement)).rowCount ?? 0,
    savepoint: async work => {
      savepoints += 1
      const name = `sp${savepoints}`
      await client.query(`savepoint ${name}`)
      try {
        const result = await work()
        await client.query(`release savepoint ${name}`)
        return result
      } catch (error) {
        await client.query(`rollback to savepoint ${name}`)
        throw error
      }
    },
    afterCommit: work => void hooks.push(work),
  }
}

/**
 * Opens transactions in the name of an actor. `begin` and the settings that row-level security reads travel in one message;
 * a deadlock or serialization failure is tried again at most twice, so `work` must have no effect outside the database.
 */
export const createScopes = (pools: Pools, log: Log): Scopes => {
  const transact = async <T>(actor: Actor, now: Date, work: (db: Database) => Promise<T>): Promise<T> => {
    const settings = { 'app.tenant_id': actor.tenantId, 'app.user_id': actor.userId, 'app.now': now.toISOString() }
    const begin = `begin; select ${Object.entries(settings)
      .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`)
      .join(', ')}`
    for (let attempt = 1; ; attempt += 1) {
      const client = await pools[roleOf[actor.kind]].connect()
      const hooks: (() => void)[] = []
      let failed: unknown
      try {
        await client.query(begin)
        const result = await work(handle(client, actor, now, hooks))
        await client.query('commit')
        for (const hook of hooks) hook()
        return result
      } catch (error) {
        failed = error
        await client.query('rollback').catch((rollback: unknown) => {
          failed = new Error('the database connection was lost', { cause: rollback })
        })
      } finally {
        client.release(failed instanceof Error && /connection/i.test(failed.message))
      }
      const code = (failed as { code?: string }).code ?? ''
      if (!retryable.has(code) || attempt === 3) throw failed
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
