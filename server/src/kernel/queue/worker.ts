import { EventEmitter } from 'node:events'
import { type Logger, makeWorkerUtils, type Runner, run, type TaskList, type WorkerEvents, type WorkerUtils } from 'graphile-worker'
import type { Clock } from '../clock.ts'
import { migrationLock } from '../db/migrate.ts'
import { type Pool, type PoolClient, roleName } from '../db/pool.ts'
import type { Log } from '../log.ts'
import { token } from '../random.ts'
import { withTrace } from '../trace.ts'
import type { Task } from './outbox.ts'
import { freeAbandoned, holdName } from './presence.ts'

export interface Worker {
  /** Moves what is in the outbox to the queue now; returns how many orders it moved. */
  relay(): Promise<number>
  /** Gives back what workers hold that are no more; returns how many of them there were. */
  freeAbandoned(): Promise<number>
  /** Why this process does none of the queue's work; undefined while it does. */
  problem(): string | undefined
  stop(): Promise<void>
}

/** Runs of a task that names no number of its own. */
export const defaultAttempts = 10

/** How a run of a task ended. */
export interface TaskEnd {
  readonly task: Task
  readonly tenantId: string
  readonly attempt: number
  readonly durationMs: number
  /** Undefined when it worked. */
  readonly error: unknown
}

/** What the library says, without its account of each task that failed: `runTask` says that in one line, under the id of the call. */
const quiet = (log: Log): Logger =>
  ({
    scope: () => quiet(log),
    error: (m: string, meta?: { readonly failure?: boolean }) => {
      if (meta?.failure !== true) log.error(m)
    },
    warn: (m: string) => log.warn(m),
    info: () => undefined,
    debug: () => undefined,
  }) as unknown as Logger

/**
 * Makes the queue's own schema; run by the owner before the first worker. What is there is left alone: another process may be working.
 * @param prefix - of the names of the database's login roles
 */
export const prepareQueue = async (pool: Pool, log: Log, prefix = 'kaopu'): Promise<void> => {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet(log) })
  await utils.migrate()
  await utils.release()
  const owner = await pool.connect()
  try {
    await owner.query('begin')
    await owner.query('select pg_advisory_xact_lock($1)', [migrationLock])
    // The queue's tables have row security of their own; they hold no tenant's rows, only orders that name their tenant.
    const { rows } = await owner.query<{ text: string }>(
      `select format('grant usage on schema graphile_worker to %I', $1::text) as text where not has_schema_privilege($1, 'graphile_worker', 'usage')
       union all select format('grant select, insert, update, delete on %s to %I', oid::regclass, $1::text) from pg_class
         where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'p', 'v')
           and not (has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert') and has_table_privilege($1, oid, 'update') and has_table_privilege($1, oid, 'delete'))
       union all select format('grant usage on sequence %s to %I', oid::regclass, $1::text) from pg_class
         where relnamespace = 'graphile_worker'::regnamespace and case relkind when 'S' then not has_sequence_privilege($1, oid, 'usage') else false end
       union all select format('grant execute on function %s to %I', oid::regprocedure, $1::text) from pg_proc
         where pronamespace = 'graphile_worker'::regnamespace and not has_function_privilege($1, oid, 'execute')
       union all select format('create policy kaopu_worker on %s for all to %I using (true) with check (true)', c.oid::regclass, $1::text) from pg_class c
         where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'p') and not exists (select from pg_policy where polrelid = c.oid and polname = 'kaopu_worker')`,
      [roleName(prefix, 'kaopu_worker')],
    )
    for (const { text } of rows) await owner.query(text)
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw error
  } finally {
    owner.release()
  }
}

/**
 * Runs queued tasks in this process and relays the outbox: orders are deleted and queued in one transaction, so each becomes a
 * job exactly once; a job itself is delivered at least once.
 */
export const startWorker = async (
  pool: Pool,
  tasks: readonly Task[],
  deps: {
    clock: Clock
    log: Log
    concurrency: number
    onEnd?: (end: TaskEnd) => void
    mayRun?: () => boolean
    /** Calls back when jobs may be taken from the queue for the first time: at once, where nothing is held back. */
    whenReleased?: (work: () => unknown) => Promise<void>
  },
): Promise<Worker> => {
  const { clock, log, mayRun = () => true, whenReleased = async work => void (await work()) } = deps
  let stopped = false
  const runTask = async (task: Task, rest: { readonly tenantId: string }, attempt: number): Promise<void> => {
    const began = performance.now()
    const { tenantId } = rest
    // Not judged by a clock that is wrong: the order waits, and another process may not have it meanwhile.
    while (!mayRun() && !stopped) await new Promise<void>(resolve => setTimeout(resolve, waitMs))
    // It waits in the queue for a process that may run it.
    if (!mayRun()) throw new Error('the process stopped before the task might run')
    const end = (error?: unknown): void =>
      deps.onEnd?.({ task, tenantId, attempt, durationMs: Math.round(performance.now() - began), error })
    try {
      await task.run(rest as never, { attempt, now: clock.now() })
      end()
    } catch (error) {
      log.error({ task: task.name, attempt, err: error }, 'task failed')
      end(error)
      throw error
    }
  }
  const taskList: TaskList = Object.fromEntries(
    tasks.map(task => [
      task.name,
      (payload: unknown, helpers: { job: { attempts: number } }) => {
        const { traceId = token(9), ...rest } = payload as { readonly tenantId: string; readonly traceId?: string }
        return withTrace(traceId, () => runTask(task, rest, helpers.job.attempts))
      },
    ]),
  )
  const attempts = new Map(tasks.map(task => [task.name, task.maxAttempts ?? defaultAttempts]))
  const utils: WorkerUtils = await makeWorkerUtils({ pgPool: pool, logger: quiet(log) })

  const relay = async (): Promise<number> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{
        task: string
        payload: object
        run_at: Date | null
        job_key: string | null
        queue: string | null
        trace_id: string | null
      }>(
        'delete from outbox where (tenant_id, id) in (select tenant_id, id from outbox order by id limit 500 for update skip locked) returning task, payload, run_at, job_key, queue, trace_id, id',
      )
      for (const row of rows) {
        await client.query(
          'select graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => $4, max_attempts => $5, job_key => $6)',
          [
            row.task,
            JSON.stringify(row.trace_id === null ? row.payload : { ...row.payload, traceId: row.trace_id }),
            row.queue,
            new Date((row.run_at ?? clock.now()).getTime() - clockLead(clock)),
            attempts.get(row.task) ?? defaultAttempts,
            row.job_key,
          ],
        )
      }
      await client.query('commit')
      return rows.length
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    } finally {
      client.release()
    }
  }

  let relaying = Promise.resolve()
  const kick = (): void => {
    relaying = relaying.then(async () => {
      if (stopped || !mayRun()) return
      try {
        while ((await relay()) === 500);
      } catch (error) {
        if (!stopped) log.error({ err: error }, 'outbox relay failed')
      }
    })
  }
  /** The names in which this process has jobs: a pool of workers takes them in the pool's name. */
  const own = new Set<string>()
  let listener: PoolClient | undefined
  /** Once only: the end of a connection can come while it is being closed, and to give it back twice would end the process. */
  const giveUp = (client: PoolClient | undefined): void => {
    if (client === undefined || listener !== client) return
    listener = undefined
    client.release(true)
  }
  /** One connection hears of new orders and holds the names of the workers: it ends when the process does, however that ends. */
  const listen = async (): Promise<void> => {
    const client = await pool.connect()
    client.on('notification', kick)
    client.on('error', error => {
      // While stopping, the database may say goodbye before the connection is closed: no news.
      if (!stopped) log.error({ err: error.message }, 'outbox listener lost')
      giveUp(client)
    })
    try {
      await client.query('listen kaopu_outbox')
      for (const name of own) await holdName(client, name)
    } catch (error) {
      client.release(true)
      throw error
    }
    listener = client
  }
  await listen()
  let naming: Promise<void> = Promise.resolve()
  const events = new EventEmitter() as WorkerEvents
  events.on('pool:create', ({ workerPool: { id } }) => {
    own.add(id)
    // One after another, as a connection wants it; one that is lost is told all names when it is back.
    naming = naming
      .then(async () => listener && holdName(listener, id))
      .catch((error: unknown) => log.error({ err: error }, 'the name of a pool of workers is not held'))
  })
  const free = (): Promise<number> => freeAbandoned(pool, own)
  // A notification can be lost with its connection: look again every 5 s.
  const timer = setInterval(() => {
    kick()
    if (!listener && !stopped) listen().catch((error: unknown) => log.error({ err: error }, 'outbox listener not back'))
  }, 5_000)
  timer.unref()
  const watch = setInterval(() => {
    free().catch((error: unknown) => {
      if (!stopped) log.error({ err: error }, 'abandoned work not looked for')
    })
  }, 30_000)
  watch.unref()
  kick()
  let starting: Promise<Runner> | undefined
  await whenReleased(async () => {
    if (stopped) return
    starting = run({
      pgPool: pool,
      taskList,
      events,
      concurrency: deps.concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      logger: quiet(log),
    })
    kick()
    await starting
  })
  return {
    relay,
    freeAbandoned: free,
    problem: () => (stopped ? 'stopped' : listener ? undefined : 'not heard: the connection to the database was lost'),
    stop: async () => {
      stopped = true
      clearInterval(timer)
      clearInterval(watch)
      await relaying
      await (await starting)?.stop()
      giveUp(listener)
      await utils.release()
    },
  }
}

/** Between two looks at whether work may go on. */
const waitMs = 250

/** The queue compares with the database's clock, orders name instants of the product's clock, which the demo can move. */
const clockLead = (clock: Clock & { readonly offsetMs?: number }): number => clock.offsetMs ?? 0
