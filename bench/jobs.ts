// How late jobs begin: many of them due within one minute, two processes of the program on one database. `node bench/jobs.ts [jobs] [--at-once]`
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createDatabase, startCluster } from './cluster.ts'
import { quantile } from './load.ts'
import { cpuOfDatabase, cpuOfProgram } from './proc.ts'

const count = Number(process.argv[2] ?? 10_000)
const isAtOnce = process.argv.includes('--at-once')
const leadMs = 5_000

const cluster = await startCluster()
const database = await createDatabase(cluster, 'jobs')
const children: ChildProcess[] = []
try {
  for (const _ of [1, 2]) {
    const child = fork(fileURLToPath(new URL('jobs-child.ts', import.meta.url)), [cluster.dataDir, database.url])
    children.push(child)
    await new Promise<void>((ready, failed) => {
      child.once('message', () => ready())
      child.once('exit', code => failed(new Error(`the program ended with ${code}`)))
    })
  }
  await database.owner.query("select set_config('app.now', now()::text, false)")
  await database.owner.query(
    `insert into job_info (tenant_id, job_server_id, job_name, processor_info, time_expression_type, time_expression, next_time)
     select tenant_id, id, 'bench ' || n, 'bench.nothing', 2, '0 0 0 1 1 ?', now() + make_interval(secs => $2 + case when $3 then 0 else 60.0 * n / $1 end)
     from job_server cross join generate_series(1, $1) n where tenant_id = '000000' and job_server_url = ''`,
    [count, leadMs / 1000, isAtOnce],
  )
  await database.owner.query('analyze')
  const cpu = () => children.map(child => cpuOfProgram(child.pid ?? 0))
  const before = { database: cpuOfDatabase(cluster.postmaster), programs: cpu() }
  const ended = async (): Promise<number> =>
    Number(
      (
        await database.owner.query(
          "select count(*) as n from job_instance i join job_info j using (tenant_id) where j.id = i.job_info_id and j.processor_info = 'bench.nothing' and i.ended_at is not null",
        )
      ).rows[0].n,
    )
  for (const until = performance.now() + 180_000; (await ended()) < count && performance.now() < until; )
    await new Promise(next => setTimeout(next, 1_000))
  const { rows } = await database.owner.query<{ late: number; state: number; host: string }>(
    `select extract(epoch from i.started_at - i.due_at) * 1000 as late, i.state from job_instance i join job_info j on j.tenant_id = i.tenant_id and j.id = i.job_info_id
     where j.processor_info = 'bench.nothing'`,
  )
  const late = rows.map(row => Number(row.late)).sort((a, b) => a - b)
  const at = (share: number): string => `${Math.round(quantile(late, share))} ms`
  console.log(
    [
      `${count} jobs due ${isAtOnce ? 'at one instant' : 'within one minute'}, two processes`,
      `run: ${rows.length}, succeeded: ${rows.filter(row => row.state === 5).length}`,
      `lateness: median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`,
      `CPU: programs ${cpu()
        .map((used, n) => (used - (before.programs[n] ?? 0)).toFixed(1))
        .join(' + ')} s, database ${(cpuOfDatabase(cluster.postmaster) - before.database).toFixed(1)} s`,
    ].join('\n'),
  )
} finally {
  for (const child of children) {
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.send('end')
    await gone
  }
  await database.close()
  await cluster.stop()
}
