// How long a report takes: its preview, with rows, scopes and hidden cells, against the bare `group by cube` of the same rows, in turns.
// `node bench/reports.ts [rows]`, 300,000 where nothing is said
import { platformTenant } from '#contract/kernel/platform.ts'
import type { Design } from '#contract/report/design.ts'
import { systemClock } from '#kernel/clock.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { backgroundCtx, storeSession } from '#kernel/http/background.ts'
import { Refused } from '#kernel/http/context.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { createDatabase, startCluster } from './cluster.ts'
import { quantile } from './load.ts'

const rows = Number(process.argv[2] ?? 300_000)
const rounds = 11
const tenantId = platformTenant

const cluster = await startCluster()
const database = await createDatabase(cluster, 'reports')
const app = await createApplication({
  config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: cluster.dataDir }),
  secrets: await loadSecrets({ dataDir: cluster.dataDir }),
  databaseUrl: database.url,
  log: createLog('error'),
  isPrepared: true,
  withoutWorker: true,
})
try {
  const { owner } = database
  // People and posts are not what is measured: their references are left out.
  await owner.query("set session_replication_role = replica; select set_config('app.now', now()::text, false)")
  await owner.query(
    `insert into examination (tenant_id, id, exam_name, exam_code, exam_no, year, exam_type, state) values ($1, 1, 'bench', 'BENCH', 98, 2026, 1, 'released')`,
    [tenantId],
  )
  await owner.query(
    `insert into signup (tenant_id, id, exam_id, user_id, code, type, unit, examine, pay_state, name, sign_no, sex, education, birthday, first_submit_time, submit_time)
     select $1, 1000000000 + n, 1, 2000000000 + n, 'P' || n % 200, 'T' || n % 6, 'U' || n % 20, (array['waiting', 'passed', 'returned', 'refused'])[1 + n % 4], 'none', 'x',
       'S' || n, 1 + (n / 7) % 2, (1 + (n / 3) % 6)::text, date '1990-01-01' + (n % 5000), now() - make_interval(hours => n % 500), now()
     from generate_series(1, $2::int) n`,
    [tenantId, rows],
  )
  await owner.query(
    `insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name) values ($1, 5, 'bench', 'bench', 1, 'bench', 'bench')`,
    [tenantId],
  )
  await owner.query(
    `insert into account_role (tenant_id, user_id, role_id) select tenant_id, 5, id from role where tenant_id = $1 and role_alias = 'admin'`,
    [tenantId],
  )
  await owner.query('vacuum analyze')

  const { scopes } = app.services
  const session = await scopes.tx(systemOf(tenantId), systemClock.now(), db => app.modules.auth.sessionOfUser(db, '5'))
  const preview = app.modules.report.handlers.find(({ route }) => route.path === '/blade-report/report/preview')
  if (!session || !preview) throw new Error('there is nobody to ask')
  const ctx = backgroundCtx(scopes, { session: storeSession(session), language: 'zh', arrivedAt: systemClock.now() })
  const design: Design = {
    dataSet: 'signups',
    rows: ['unit', 'state'],
    columns: ['sex'],
    measures: ['rows'],
    filters: [],
    order: { by: 'labels', descending: false },
    totals: 'both',
    chart: 'none',
  }
  const bare = `select unit, examine, sex, count(*) from signup s
    where tenant_id = $1 and examine <> 'draft' and sign_no is not null and not is_deleted group by cube (unit, examine, sex)`
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now()
    await work()
    return performance.now() - begun
  }
  let refused = 0
  const ask = async () => {
    const answer = await preview.run({ ctx, input: { design, size: 50 } as never, db: undefined as never }).catch((error: unknown) => error)
    // Too much for a preview: whoever asks is told so and runs it in the background.
    if (answer instanceof Refused) refused += 1
    else if (answer instanceof Error) throw answer
  }
  const times = { product: [] as number[], floor: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const floor = await timed(() => owner.query(bare, [tenantId]))
    const product = await timed(ask)
    // The first round warms both up.
    if (round > 0) {
      times.floor.push(floor)
      times.product.push(product)
    }
  }
  const median = (list: readonly number[]): number =>
    quantile(
      [...list].sort((a, b) => a - b),
      0.5,
    )
  const [product, floor] = [median(times.product), median(times.floor)]
  console.log(
    [
      `${rows} sign-ups, three dimensions, ${rounds - 1} rounds in turns`,
      `preview of a report: ${Math.round(product)} ms, most ${Math.round(Math.max(...times.product))} ms`,
      `bare group by cube: ${Math.round(floor)} ms`,
      `ratio: ${(product / floor).toFixed(2)}`,
      ...(refused === 0 ? [] : [`${refused} of ${rounds} previews were given up for the queue`]),
    ].join('\n'),
  )
} finally {
  await app.close()
  await database.close()
  await cluster.stop()
}
