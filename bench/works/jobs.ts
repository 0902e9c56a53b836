import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Cluster, createDatabase } from '../cluster.ts'
import { quantile } from '../load.ts'
import { cpuOfDatabase, cpuOfProgram } from '../proc.ts'
import type { Figure } from '../report.ts'

/** Before the first is due both processes look, and the database has counted the rows. */
const leadMs = 5_000
const mostMs = 180_000
/** Design paper: 99 of 100 begin within it. */
const goalMs = 2_000

/** How late jobs begin: many of them due within one minute, or at one instant, two processes of the program on one database of its own. */
export const measureJobs = async (cluster: Cluster, count: number, isAtOnce: boolean): Promise<Figure[]> => {
  const database = await createDatabase(cluster, 'bench_jobs')
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
    const cpu = () => children.reduce((sum, child) => sum + cpuOfProgram(child.pid ?? 0), 0)
    const before = { database: cpuOfDatabase(cluster.postmaster), programs: cpu() }
    const runs = `from job_instance i join job_info j on j.tenant_id = i.tenant_id and j.id = i.job_info_id where j.processor_info = 'bench.nothing'`
    const ended = async (): Promise<number> =>
      Number((await database.owner.query(`select count(*) as n ${runs} and i.ended_at is not null`)).rows[0].n)
    for (const until = performance.now() + mostMs; (await ended()) < count && performance.now() < until; )
      await new Promise(next => setTimeout(next, 1_000))
    const { rows } = await database.owner.query<{ late: string; state: number }>(
      `select extract(epoch from i.started_at - i.due_at) * 1000 as late, i.state ${runs}`,
    )
    const late = rows.map(row => Number(row.late)).sort((a, b) => a - b)
    const at = (share: number): string => `${Math.round(quantile(late, share))} ms`
    const done = rows.filter(row => row.state === 5).length
    const [programs, databases] = [cpu() - before.programs, cpuOfDatabase(cluster.postmaster) - before.database]
    return [
      {
        work: `${count.toLocaleString('en')} scheduled jobs due ${isAtOnce ? 'at one instant' : 'within one minute'}, two processes: how late they begin`,
        product: `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}; ${done.toLocaleString('en')} run, each once; CPU programs ${programs.toFixed(1)} s, database ${databases.toFixed(1)} s`,
        floor: '',
        ratio: '',
        goal: isAtOnce ? '' : 'p99 ≤ 2 s',
        met: isAtOnce ? undefined : rows.length === count && done === count && quantile(late, 0.99) <= goalMs,
      },
    ]
  } finally {
    for (const child of children) {
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.send('end')
      await gone
    }
    await database.close()
  }
}
