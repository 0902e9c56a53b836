import type { Pool, PoolClient } from 'pg'
import type { Log } from '../log.ts'
import type { PlatformDb, TenantDb } from './scope.ts'
import { sql } from './sql.ts'

/** What this process forgets when the database tells of a change. */
export interface Changes {
  readonly session: (id: string) => void
  readonly installation: () => void
  /** `what` is empty for everything. */
  readonly cache: (what: string) => void
}

export interface ChangeListener {
  /** Resolves when this process has heard every change that was told before the call. */
  catchUp(): Promise<void>
  stop(): void
}

/** Told to every process when the transaction commits: what is kept in memory is read anew. `what` is empty for everything. */
export const tellCaches = async (db: PlatformDb | TenantDb, what: string): Promise<void> => {
  await db.run(sql`select pg_notify('kaopu_cache', ${what})`)
}
/** The same for one session. */
export const tellSession = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`select pg_notify('kaopu_session', ${id})`)
}

const firstRetryMs = 100
const longestRetryMs = 5_000

/** A session whose end was ordered still holds its locks until it has ended; longer than that it is asked for no more. */
const lockPatienceMs = 5_000
const lockRetryMs = 20

/** Takes the lock that says this process lives; a session that was lost may hold it for some moments more. @returns whether it is held */
const holdName = async (client: PoolClient, runner: string): Promise<boolean> => {
  for (const until = performance.now() + lockPatienceMs; ; await new Promise<void>(next => setTimeout(next, lockRetryMs))) {
    const { rows } = await client.query<{ isHeld: boolean }>('select pg_try_advisory_lock($1) as "isHeld"', [runner])
    if (rows[0]?.isHeld) return true
    if (performance.now() > until) return false
  }
}

/**
 * Sessions that changed, settings of the installation and caches to be cleared, told by the database to every process. The same
 * database session holds the lock that says this process lives.
 *
 * A lost connection is made anew for as long as the process runs: one that hears nothing more would go on with what it knew. What was told
 * in between is not told again, so everything is forgotten as soon as it listens.
 */
export const listenForChanges = async (pool: Pool, log: Log, runner: string, on: Changes): Promise<ChangeListener> => {
  let isStopped = false
  const open = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    try {
      client.on('notification', ({ channel, payload }) => {
        if (channel === 'kaopu_session') on.session(payload ?? '')
        else if (channel === 'kaopu_cache') on.cache(payload ?? '')
        else on.installation()
      })
      client.once('error', () => lose(client))
      await client.query('listen kaopu_session; listen kaopu_installation; listen kaopu_cache')
      // Without it the other processes take this one for dead and its work for abandoned.
      if (!(await holdName(client, runner))) log.warn('the name of this process is held by a session that does not end')
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  const reopen = async (): Promise<PoolClient> => {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        const client = await open()
        on.cache('')
        on.installation()
        log.warn('changes are heard again')
        return client
      } catch (error) {
        if (isStopped) throw error
        await new Promise<void>(resolve => setTimeout(resolve, waitMs).unref())
      }
    }
  }
  let current = open()
  let held: PoolClient | undefined
  function lose(client: PoolClient): void {
    if (isStopped || client !== held) return
    held = undefined
    log.error('changes are not heard: the connection to the database was lost')
    client.release(true)
    on.cache('')
    current = reopen().then(keep)
    // Who asks hears of the failure; without anybody who asks it is no news after the stop.
    current.catch(() => {})
  }
  function keep(client: PoolClient): PoolClient {
    if (isStopped) client.release(true)
    else held = client
    return client
  }
  current = current.then(keep)
  await current
  return {
    // What was told before is delivered before the answer to the next statement.
    catchUp: async () => {
      for (;;) {
        const client = await current
        try {
          await client.query('select 1')
          return
        } catch (error) {
          if (isStopped) throw error
          lose(client)
        }
      }
    },
    stop: () => {
      isStopped = true
      held?.release(true)
    },
  }
}
