// How long each check of the data takes, as the program asks it (two hundred rows and one), how many rows it finds (it stops at 201, and is then faster than on
// sound data), and what it reads from end to end.
// `node bench/invariants.ts [rows] [check]`, 100,000 sign-ups and all checks where nothing is said
import { systemClock } from '#kernel/clock.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { createDatabase, startCluster } from './cluster.ts'
import { seedWorld } from './seed.ts'

const rows = Number(process.argv[2] ?? 100_000)
const only = process.argv[3]

/** A due, an order and a line of the ledger for everybody who has signed up. */
const money = [
  `insert into exam_pay (tenant_id, id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, state, deadline, paid_time, order_id)
   select tenant_id, id, exam_id, id, user_id, '报名费', 5000, 5000, 'paid', now(), now(), id from signup where exam_id = $1 and examine <> 'draft'`,
  `insert into pay_order (tenant_id, id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, success_time, paid_fen, mchid, appid)
   select tenant_id, id, 'K' || id, id, user_id, 5000, '报名费', 'paid', now(), now(), 5000, '1900000000', 'wx' from exam_pay where exam_id = $1`,
  `insert into pay_ledger (tenant_id, pay_id, order_id, kind, amount_fen, evidence, created_by)
   select tenant_id, id, id, 'pay', 5000, 'T' || id, 0 from exam_pay where exam_id = $1`,
]
/** Parts of names and accounts, which a trigger keeps of people who are added one by one; these names fold to themselves. */
const parts = `insert into search_part (tenant_id, field, part, row_id)
  select distinct a.tenant_id, w.field, substr(w.word, at, size), a.id
  from account a, lateral (values ('an', lower(a.real_name), 1), ('aa', lower(a.account), 3)) w(field, word, shortest),
    generate_series(shortest, 3) size, generate_series(1, length(w.word) - size + 1) at
  where not a.is_deleted on conflict do nothing`

const cluster = await startCluster()
const database = await createDatabase(cluster, 'invariants')
const app = await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: cluster.dataDir }),
  secrets: await loadSecrets({ dataDir: cluster.dataDir }),
  databaseUrl: database.url,
  log: createLog('error'),
  isPrepared: true,
  withoutWorker: true,
})
try {
  const { tenantId, examId } = await seedWorld(cluster, database, { rows, sample: 100, newcomers: 10 })
  const { owner } = database
  await owner.query("set session_replication_role = replica; select set_config('app.now', now()::text, false)")
  for (const statement of money) await owner.query(statement, [examId])
  await owner.query(parts)
  await owner.query('vacuum analyze')
  let sum = 0
  for (const invariant of app.modules.invariants) {
    if (invariant.by === 'installation' || (only !== undefined && invariant.name !== only)) continue
    const began = performance.now()
    const plan = await app.services.scopes.tx(systemOf(tenantId), systemClock.now(), async db => {
      db.planAnew()
      await db.run(sql`select set_config('statement_timeout', '60000', true), set_config('transaction_read_only', 'on', true)`)
      return db.all(sql<{ 'QUERY PLAN': string }>`
        explain (analyze, timing off, costs off) select * from (${invariant.broken({ examId, now: db.now })}) b limit 201`)
    })
    const ms = Math.round(performance.now() - began)
    sum += ms
    const lines = plan.map(line => line['QUERY PLAN'])
    const whole = [...new Set(lines.flatMap(line => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []))]
    if (only !== undefined) console.log(lines.join('\n'))
    const most = Math.max(0, ...lines.flatMap(line => (/loops=(\d+)/.exec(line) ?? []).slice(1).map(Number)))
    const found = /actual rows=(\d+)/.exec(lines[0] ?? '')?.[1] ?? '?'
    console.log(
      `${invariant.name.padEnd(28)} ${String(ms).padStart(7)} ms  found ${found}  repeated ${most}×  whole tables: ${whole.join(', ')}`,
    )
  }
  console.log(`${rows} sign-ups, all checks: ${sum} ms`)
} finally {
  await app.close()
  await database.close()
  await cluster.stop()
}
