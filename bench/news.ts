// The public blocks from memory, and who has not read a notice, with 1,000 and with 200,000 addressees. `node bench/news.ts`
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { createDatabase, startCluster } from './cluster.ts'
import { quantile } from './load.ts'

const tenantId = '000000'
const [few, many] = [1_000, 200_000]
const rounds = 300
const indexCalls = 20_000

const cluster = await startCluster()
const database = await createDatabase(cluster, 'news')
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
  await owner.query("select set_config('app.now', now()::text, false)")
  await owner.query(
    `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name) select $1, 'reader' || n, 'reader' || n, 2, '读', '读者' || n from generate_series(1, $2) n`,
    [tenantId, many],
  )
  await owner.query(
    `insert into notice (tenant_id, title, notice_type, content, release_time, state) select $1, '公告 ' || n, 1 + n % 4, repeat('<p>报名须知</p>', 50), now() - make_interval(hours => n::int), 1 from generate_series(1, 60) n`,
    [tenantId],
  )
  const noticeOf = async (title: string, people: number): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into notice (tenant_id, title, notice_type, content, scope, release_time, state) values ($1, $2, 2, '<p>x</p>', 2, now(), 1) returning id::text as id`,
      [tenantId, title],
    )
    const id = rows[0]?.id ?? ''
    // Nearly everybody has read it: the few who have not are what the list has to find.
    await owner.query(
      `insert into notice_read (tenant_id, notice_id, user_id, read_at)
       select $1, $2, id, case when row_number() over (order by id) % 50 = 0 then null else now() end from (select id from account where tenant_id = $1 and account like 'reader%' order by id limit $3) a`,
      [tenantId, id, people],
    )
    return id
  }
  const notices = [await noticeOf('少', few), await noticeOf('多', many)] as const
  await owner.query('vacuum analyze')
  const access = newToken()
  await app.services.scopes.tx(systemOf(tenantId), new Date(), async db => {
    const { id } = await db.one(sql<{ id: string }>`
      insert into account (tenant_id, account, account_key, user_type, nick_name, real_name) values (${tenantId}, 'bench', 'bench', 1, 'bench', 'bench') returning id::text as id`)
    await db.run(
      sql`insert into account_role (tenant_id, user_id, role_id) select ${tenantId}, ${id}, id from role where role_alias = 'admin'`,
    )
    const far = new Date(Date.now() + 3_600_000)
    await db.run(sql`
      insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
      select ${tenantId}, ${id}, 1, 'kaopu-web', ${hashToken(access)}, ${far}, ${hashToken(newToken())}, ${far}, ${'f'.repeat(64)},
        (select jsonb_agg(id::text) from role where role_alias = 'admin'), now(), now()`)
  })
  const get = async (url: string): Promise<void> => {
    const answer = await app.server.inject({ method: 'GET', url: `/api${url}`, headers: { 'blade-auth': `bearer ${access}` } })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
  }
  const listOf = (id: string) => `/blade-noticeRead/noticeread/list?noticeId=${id}&state=1&count=capped`
  const took: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds + 20; round += 1)
    for (const at of [0, 1] as const) {
      const began = performance.now()
      await get(listOf(notices[at]))
      if (round >= 20) took[at].push(performance.now() - began)
    }
  const [a, b] = took.map(times =>
    quantile(
      times.sort((x, y) => x - y),
      0.5,
    ),
  ) as [number, number]
  console.log(
    `unread of a notice, first page: ${few} addressees ${a.toFixed(2)} ms, ${many} addressees ${b.toFixed(2)} ms, ${(b / a).toFixed(2)}×`,
  )

  const path = '/api/blade-exam/examination/getIndexNotice'
  const index = () => app.server.inject({ method: 'GET', url: path })
  for (let n = 0; n < 500; n += 1) await index()
  // The answer to a simulated call costs what the call costs and what the simulation does: an address that answers nothing is the measure of that.
  const cpuOf = async (call: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage()
    for (let n = 0; n < indexCalls; n += 1) await call()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000 / indexCalls
  }
  const whole = await cpuOf(index)
  const empty = await cpuOf(() => app.server.inject({ method: 'GET', url: '/api/health' }))
  const route = app.modules.news.handlers.find(handler => handler.route.path === '/blade-exam/examination/getIndexNotice')
  const ctx = { tenantId, arrivedAt: new Date(), session: undefined }
  const alone = await cpuOf(async () => route?.run({ ctx, input: {} } as never))
  console.log(
    `getIndexNotice from memory: handler ${alone.toFixed(4)} ms CPU, simulated call ${whole.toFixed(3)} ms of which ${empty.toFixed(3)} ms are any call's`,
  )
} finally {
  await app.close()
  await database.close()
  await cluster.stop()
}
