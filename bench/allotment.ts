// How long it takes to hand out the waiting sign-ups of one examination, by the call of the screen. `node bench/allotment.ts [sign-ups] [reviewers]`
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { createDatabase, startCluster } from './cluster.ts'

const tenantId = '000000'
const [people = 200_000, reviewers = 400] = process.argv.slice(2).map(Number)
const units = 40
const posts = 200
const path = '/api/blade-exam/examination'

const cluster = await startCluster()
const database = await createDatabase(cluster, 'allotment')
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
  const one = async (text: string, values: readonly unknown[] = []): Promise<string> =>
    (await owner.query<{ id: string }>(text, [...values])).rows[0]?.id ?? ''
  const examId = await one(
    `insert into examination (tenant_id, exam_name, exam_code, exam_no, year, exam_type, state, release_at, sign_begin, sign_end, modify_end, examine_begin, examine_end, allot_mode)
     values ($1, '分配', 'ALLOT1', 1, 2026, 1, 'released', now(), now() - interval '9 days', now() - interval '1 day', now() - interval '1 day', now() - interval '9 days', now() + interval '9 days', 0)
     returning id::text as id`,
    [tenantId],
  )
  await owner.query(
    `insert into type_code (tenant_id, exam_id, unit, unit_name, type, type_name, code, code_name, plan_num, cur_num)
     select $1, $2, 'H' || (n % $3::int), '医院' || (n % $3::int), 'A', '医疗', 'P' || n, '岗位' || n, 3, 3 from generate_series(0, $4::int - 1) n`,
    [tenantId, examId, units, posts],
  )
  await owner.query(
    `with person as (insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
       select $1, 'signer' || n, 'signer' || n, 2, '考生', '考生' || n from generate_series(1, $3::int) n returning id, substr(account, 7)::int as n)
     insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, sign_no, sign_version, submit_time, first_submit_time)
     select $1, $2, id, 'P' || (n % $4::int), 'A', 'H' || (n % $4::int % $5::int), 'waiting', 'none', substr('赵钱孙李周吴郑王冯陈', 1 + n % 10, 1) || '某' || n,
       '20260100' || lpad(n::text, 8, '0'), 1, now() - interval '2 days', now() - interval '2 days' from person`,
    [tenantId, examId, people, posts, units],
  )
  await owner.query(
    `with staff as (insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
       select $1, 'reviewer' || n, 'reviewer' || n, 1, '初审', '初审' || n from generate_series(1, $3::int) n returning id, substr(account, 9)::int as n),
     roles as (insert into account_role (tenant_id, user_id, role_id) select $1, staff.id, role.id from staff, role where role_alias = 'reviewer1' returning 1)
     insert into exam_user (tenant_id, exam_id, user_id, level, units, codes, quota, state)
     select $1, $2, id, 1, jsonb_build_array('H' || (n % $4::int)), '[]', 0, 1 from staff`,
    [tenantId, examId, reviewers, units],
  )
  const access = newToken()
  const officer = await one(
    `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name) values ($1, 'office', 'office', 1, '考务', '考务') returning id::text as id`,
    [tenantId],
  )
  await owner.query(`insert into account_role (tenant_id, user_id, role_id) select $1, $2, id from role where role_alias = 'admin'`, [
    tenantId,
    officer,
  ])
  await owner.query(
    `insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
     select $1, $2, 1, 'kaopu-web', $3, now() + interval '2 hours', $4, now() + interval '2 hours', $5, (select jsonb_agg(id::text) from role where role_alias = 'admin'), now(), now()`,
    [tenantId, officer, hashToken(access), hashToken(newToken()), 'f'.repeat(64)],
  )
  await owner.query('vacuum analyze')
  const headers = { 'blade-auth': `bearer ${access}` }
  const timed = async (what: string, of: { readonly method: 'GET' | 'POST'; readonly url: string; readonly payload?: object }) => {
    const began = performance.now()
    const answer = await app.server.inject({ ...of, headers })
    const seconds = (performance.now() - began) / 1_000
    if (answer.statusCode !== 200) throw new Error(`${what}: ${answer.statusCode} ${answer.body.slice(0, 300)}`)
    const { placed, unplacedCount, reviewers: loads } = answer.json().data
    const waiting = (loads as { waiting: number }[]).map(row => row.waiting)
    console.log(
      `${what}: ${seconds.toFixed(2)} s${placed === undefined ? '' : `, ${placed} placed, ${unplacedCount} not`}, ${Math.min(...waiting)} to ${Math.max(...waiting)} wait for a reviewer`,
    )
  }
  const check = (payload: object) => ({ method: 'POST', url: `${path}/allotCheck`, payload: { examId, level: 1, ...payload } }) as const
  await timed('trial, even by chance', check({ mode: 3, dryRun: 1 }))
  await timed('trial, by unit', check({ mode: 1, dryRun: 1 }))
  await timed('trial, by post', check({ mode: 2, dryRun: 1 }))
  await timed('trial, by surname', check({ mode: 4, dryRun: 1 }))
  await timed('allotment, even by chance', check({ mode: 3 }))
  await timed('figures of the screen', { method: 'GET', url: `${path}/getExamAllot?examId=${examId}&level=1` })
  await timed('rebalance, by unit', check({ mode: 1, scope: 'rebalance' }))
} finally {
  await app.close()
  await database.close()
  await cluster.stop()
}
