import { statfs } from 'node:fs/promises'
import { token } from '#contract/auth/auth.routes.ts'
import { openToken } from '#contract/auth/open-edition.routes.ts'
import { secondFactor } from '#contract/auth/second-factor.routes.ts'
import { runState } from '#contract/job/words.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { WaitingRoomGauges } from '#kernel/admission/waiting-room.ts'
import { readLastBackup } from '#kernel/backup/last-backup.ts'
import { databaseRoles } from '#kernel/db/pool.ts'
import { sql } from '#kernel/db/sql.ts'
import { onProviderCall, onSmsFailure } from '#kernel/events.ts'
import type { Observer } from '#kernel/http/observe.ts'
import type { Readiness } from '#kernel/http/probes.ts'
import { createMetrics, type Metrics } from '#kernel/metrics.ts'
import type { TaskEnd } from '#kernel/queue/worker.ts'
import type { Services } from '#server/services.ts'

/** Seconds; half of the calls take less than the second, and a step of a candidate should take less than two seconds. */
const durationBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30]

export interface AppMetrics {
  readonly metrics: Metrics
  readonly observe: Observer
  readonly taskEnded: (end: TaskEnd) => void
  /** Hears of nothing more. */
  readonly stop: () => void
}

export interface MetricsDeps {
  readonly services: Services
  readonly readiness: Readiness
  /** `0.1.0+1100`: release, and its newest migration. */
  readonly build: string
  readonly clockOffBy: () => number | undefined
  readonly lostLines: () => number
  readonly waitingRoom: () => WaitingRoomGauges
}

/** Routes whose refusals are failed log-ins. */
const logIns: ReadonlySet<string> = new Set([token, openToken, secondFactor.logIn].map(({ method, path }) => `${method} ${path}`))

/** The numbers of this process (docs/operate/watch.md lists them). */
export const createAppMetrics = ({ services, readiness, build, clockOffBy, lostLines, waitingRoom }: MetricsDeps): AppMetrics => {
  const { pools, scopes, clock, config } = services
  const metrics = createMetrics()
  const durations = metrics.timing(
    { name: 'kaopu_http_request_duration_seconds', help: 'Time from the headers of a call to its answer', labels: ['method', 'route'] },
    durationBuckets,
  )
  const calls = metrics.count({ name: 'kaopu_http_requests_total', help: 'Answered calls', labels: ['method', 'route', 'status'] })
  const refusals = metrics.count({ name: 'kaopu_refusals_total', help: 'Refused calls by their reason', labels: ['reason'] })
  const loginFailures = metrics.count({ name: 'kaopu_login_failures_total', help: 'Failed log-ins by their reason', labels: ['reason'] })
  const providerCalls = metrics.count({
    name: 'kaopu_provider_calls_total',
    help: 'Calls to providers (sms, pay, storage, job, login) and what came of them',
    labels: ['purpose', 'host', 'outcome'],
  })
  const smsFailures = metrics.count({
    name: 'kaopu_sms_failures_total',
    help: 'Text messages that failed for good, by kind',
    labels: ['kind'],
  })
  const tasks = metrics.count({ name: 'kaopu_task_runs_total', help: 'Runs of queued tasks', labels: ['task', 'result'] })

  metrics.source({
    name: 'build',
    gauges: [
      { name: 'kaopu_build_info', help: 'What runs here', labels: ['build', 'node'] },
      { name: 'kaopu_clock_off_seconds', help: 'Clock of this process less the database’s, while too far off; else 0' },
      { name: 'kaopu_log_lines_lost', help: 'Lines of the logs that could not be kept since the start' },
    ],
    read: () => ({
      kaopu_build_info: [[{ build, node: process.versions.node }, 1]],
      kaopu_clock_off_seconds: [[{}, (clockOffBy() ?? 0) / 1_000]],
      kaopu_log_lines_lost: [[{}, lostLines()]],
    }),
  })
  metrics.source({
    name: 'ready',
    gauges: [{ name: 'kaopu_ready', help: 'What /api/ready looks at: 1 ok, 0 not', labels: ['check'] }],
    read: async () => ({
      kaopu_ready: Object.entries(await readiness.look()).map(([check, finding]) => [{ check }, finding === 'ok' ? 1 : 0] as const),
    }),
  })
  metrics.source({
    name: 'pool',
    gauges: [
      { name: 'kaopu_db_pool_connections', help: 'Connections to the database', labels: ['role', 'state'] },
      { name: 'kaopu_db_pool_waiting', help: 'Callers that wait for a connection', labels: ['role'] },
      { name: 'kaopu_db_pool_max', help: 'Most connections of a role', labels: ['role'] },
    ],
    read: () => ({
      kaopu_db_pool_connections: databaseRoles.flatMap(role => {
        const { totalCount, idleCount } = pools[role]
        return [
          [{ role, state: 'idle' }, idleCount],
          [{ role, state: 'busy' }, totalCount - idleCount],
        ] as const
      }),
      kaopu_db_pool_waiting: databaseRoles.map(role => [{ role }, pools[role].waitingCount] as const),
      kaopu_db_pool_max: databaseRoles.map(role => [{ role }, pools[role].options.max] as const),
    }),
  })
  metrics.source({
    name: 'queue',
    gauges: [
      { name: 'kaopu_queue_jobs', help: 'Work of the queue: due, for later, running, given up', labels: ['state'] },
      { name: 'kaopu_queue_oldest_seconds', help: 'How long the oldest due work has waited' },
    ],
    read: async () => {
      const { rows } = await pools.kaopu_worker.query<Record<'due' | 'later' | 'running' | 'failed' | 'oldest', string>>(`
        select count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts) as due,
          count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts) as later,
          count(*) filter (where locked_at is not null) as running, count(*) filter (where attempts >= max_attempts and locked_at is null) as failed,
          coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)), 0) as oldest
        from graphile_worker._private_jobs`)
      const outbox = await pools.kaopu_worker.query<{ n: string }>(
        'select count(*) as n from public.outbox where run_at is null or run_at <= $1',
        [clock.now()],
      )
      const { due = '0', later = '0', running = '0', failed = '0', oldest = '0' } = rows[0] ?? {}
      const states = {
        due: Number(due),
        later: Number(later),
        running: Number(running),
        failed: Number(failed),
        outbox: Number(outbox.rows[0]?.n ?? 0),
      }
      return {
        kaopu_queue_jobs: Object.entries(states).map(([state, n]) => [{ state }, n] as const),
        kaopu_queue_oldest_seconds: [[{}, Number(oldest)]],
      }
    },
  })
  metrics.source({
    name: 'job',
    gauges: [
      { name: 'kaopu_job_last_success_timestamp_seconds', help: 'When a scheduled job of the program last ended well', labels: ['job'] },
      { name: 'kaopu_job_overdue_seconds', help: 'How long a scheduled job of the program is over its time', labels: ['job'] },
    ],
    read: async () => {
      const rows = await scopes.asPlatform('the program’s own jobs are watched', clock.now(), db =>
        db.all(sql<{ job: string; doneAt: Date | null; nextAt: Date | null }>`
          select j.processor_info as job, j.next_time as "nextAt",
            (select max(i.ended_at) from job_instance i where i.tenant_id = j.tenant_id and i.job_info_id = j.id and i.state = ${runState.done}) as "doneAt"
          from job_info j where j.tenant_id = ${platformTenant} and j.enable = 1 and not j.is_deleted`),
      )
      const nowMs = clock.now().getTime()
      return {
        kaopu_job_last_success_timestamp_seconds: rows.flatMap(({ job, doneAt }) =>
          doneAt === null ? [] : [[{ job }, doneAt.getTime() / 1_000] as const],
        ),
        kaopu_job_overdue_seconds: rows.map(
          ({ job, nextAt }) => [{ job }, nextAt === null ? 0 : Math.max(0, (nowMs - nextAt.getTime()) / 1_000)] as const,
        ),
      }
    },
  })
  metrics.source({
    name: 'waiting_room',
    gauges: [
      {
        name: 'kaopu_waiting_room_open',
        help: 'Whether people wait to be let in: 0 no, 1 who comes anew, 2 also who reads without a place',
      },
      { name: 'kaopu_waiting_room_people', help: 'People of all processes that wait, and of this one that are inside', labels: ['state'] },
      { name: 'kaopu_waiting_room_rate', help: 'People whom all processes let in, a second; 0 while nobody waits' },
      { name: 'kaopu_waiting_room_instances', help: 'Processes that this one has heard of, itself among them' },
    ],
    read: () => {
      const { isOpen, isSevere, active, waiting, rate, instances } = waitingRoom()
      return {
        kaopu_waiting_room_open: [[{}, isSevere ? 2 : isOpen ? 1 : 0]],
        kaopu_waiting_room_people: [
          [{ state: 'waiting' }, waiting],
          [{ state: 'inside' }, active],
        ],
        kaopu_waiting_room_rate: [[{}, rate]],
        kaopu_waiting_room_instances: [[{}, instances]],
      }
    },
  })
  metrics.source({
    name: 'disk',
    gauges: [
      { name: 'kaopu_disk_free_bytes', help: 'Free room of the data folder’s disk' },
      { name: 'kaopu_disk_size_bytes', help: 'Size of the data folder’s disk' },
    ],
    read: async () => {
      const { bavail, blocks, bsize } = await statfs(config.dataDir)
      return { kaopu_disk_free_bytes: [[{}, bavail * bsize]], kaopu_disk_size_bytes: [[{}, blocks * bsize]] }
    },
  })
  metrics.source({
    name: 'backup',
    gauges: [{ name: 'kaopu_backup_last_timestamp_seconds', help: 'The instant that the last good backup is of; 0 where there is none' }],
    read: async () => {
      const last = await readLastBackup((text, values) => pools.kaopu_platform.query(text, values as unknown[]))
      return { kaopu_backup_last_timestamp_seconds: [[{}, last === undefined ? 0 : Date.parse(last.takenAt) / 1_000]] }
    },
  })
  metrics.source({
    name: 'login-key',
    gauges: [
      { name: 'kaopu_login_key_age_seconds', help: 'How long the log-in key is in use' },
      { name: 'kaopu_used_ciphertexts', help: 'Ciphertexts remembered so that they open only once; as the server estimates it' },
    ],
    read: async () => {
      const { rows } = await pools.kaopu_platform.query<{ age: string; used: string }>(
        `select coalesce(extract(epoch from $1 - max(since)), 0) as age, (select greatest(reltuples, 0) from pg_class where oid = 'public.used_cipher'::regclass) as used
         from installation_mark where kind = 'secret' and name = 'login' and until is null`,
        [clock.now()],
      )
      const [{ age, used } = { age: '0', used: '0' }] = rows
      return { kaopu_login_key_age_seconds: [[{}, Math.max(0, Number(age))]], kaopu_used_ciphertexts: [[{}, Number(used)]] }
    },
  })
  metrics.source({
    name: 'invariant',
    gauges: [
      { name: 'kaopu_invariant_findings', help: 'Rows that the last check of the data found not to agree', labels: ['check'] },
      { name: 'kaopu_invariant_failed', help: '1 where the last check of the data could not be made', labels: ['check'] },
    ],
    read: async () => {
      const rows = await scopes.asPlatform('the checks of all tenants are watched', clock.now(), db =>
        db.all(sql<{ check: string; found: number; isFailed: boolean }>`
          select name as check, sum(found)::int as found, bool_or(problem_en <> '') as "isFailed" from invariant_state group by name order by name`),
      )
      return {
        kaopu_invariant_findings: rows.map(({ check, found }) => [{ check }, found] as const),
        kaopu_invariant_failed: rows.map(({ check, isFailed }) => [{ check }, isFailed ? 1 : 0] as const),
      }
    },
  })

  const ends = [
    onProviderCall(({ purpose, host, outcome }) => providerCalls.add({ purpose, host, outcome })),
    onSmsFailure(kind => smsFailures.add({ kind })),
  ]
  return {
    metrics,
    observe: ({ route, status, reason, durationMs }) => {
      const of = { method: route.method, route: route.path }
      durations.add(of, durationMs / 1_000)
      calls.add({ ...of, status: String(status) })
      if (reason === undefined) return
      refusals.add({ reason })
      if (logIns.has(`${route.method} ${route.path}`)) loginFailures.add({ reason })
    },
    taskEnded: ({ task, error }) => tasks.add({ task: task.name, result: error === undefined ? 'done' : 'failed' }),
    stop: () => {
      for (const end of ends) end()
    },
  }
}
