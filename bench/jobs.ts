// How late scheduled jobs begin, alone. `node bench/jobs.ts [jobs] [--at-once]`
import { startCluster } from './cluster.ts'
import { printed } from './report.ts'
import { measureJobs } from './works/jobs.ts'

const cluster = await startCluster()
try {
  const count = Number(process.argv.slice(2).find(argument => /^\d+$/.test(argument)) ?? 10_000)
  for (const figure of await measureJobs(cluster, count, process.argv.includes('--at-once'))) console.log(printed(figure))
} finally {
  await cluster.stop()
}
