// Look-ups of scores at the moment of a release: candidates ask in a closed loop while a second paper is released beside them. `node bench/scores.ts [people] [seconds]`
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { createDatabase, startCluster } from './cluster.ts'
import { type Call, createClient, quantile } from './load.ts'
import { cpuOfDatabase, cpuOfProgram } from './proc.ts'
import { startProduct } from './programs.ts'

const tenantId = '000000'
const [people = 20_000, seconds = 60] = process.argv.slice(2).map(Number)
/** What the specification asks for, for a minute. */
const wanted = { perSecond: 4_000, p95Ms: 150 }
const callers = Math.min(people, 4_000)
const connections = 64

const cluster = await startCluster()
const database = await createDatabase(cluster, 'scores')
const { owner } = database
await owner.query("select set_config('app.now', now()::text, false)")
const one = async (text: string, values: readonly unknown[] = []): Promise<string> =>
  (await owner.query<{ id: string }>(text, [...values])).rows[0]?.id ?? ''
const examId = await one(
  `insert into examination (tenant_id, exam_name, exam_code, exam_no, year, exam_type, state, release_at, sign_begin, sign_end, modify_end, pay_begin, pay_end, written_weight, interview_weight)
   values ($1, '成绩查询', 'SCORE1', 1, 2026, 1, 'released', now(), now() - interval '60 days', now() - interval '50 days', now() - interval '49 days', now() - interval '60 days', now() - interval '48 days', 100, 0) returning id::text as id`,
  [tenantId],
)
await owner.query(
  `insert into type_code (tenant_id, exam_id, unit, unit_name, type, type_name, code, code_name, plan_num, cur_num)
  select $1, $2, 'H01', '区人民医院', 'A', '医疗', 'P' || n, '岗位' || n, 3, 3 from generate_series(1, 200) n`,
  [tenantId, examId],
)
const papers = []
for (const n of [1, 2])
  papers.push(
    await one(
      `insert into exam_item (tenant_id, exam_id, item_name, item_code, item_type, start_time, end_time, full_score, sort, weight, score_state, score_import_at)
       values ($1, $2, '科目' || $3::int, '0' || $3::int, 1, now() - interval '3 days', now() - interval '2 days', 100, $3::int, 50, 'imported', now()) returning id::text as id`,
      [tenantId, examId, n],
    ),
  )
await owner.query(
  `with person as (insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
     select $1, 'score' || n, 'score' || n, 2, '考生', '考生' || n from generate_series(1, $3::int) n returning id, substr(account, 6)::int as n)
   insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, sign_no, sign_version)
   select $1, $2, id, 'P' || (1 + n % 200), 'A', 'H01', 'passed', 'none', '考生' || n, '20260100' || lpad(n::text, 8, '0'), 1 from person`,
  [tenantId, examId, people],
)
for (const itemId of papers)
  await owner.query(
    `insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, final_score)
     select $1, $2, $3, s.id, s.user_id, right(s.sign_no, 12), s.name, g.score, 1, g.score from signup s cross join lateral (select round((40 + (s.id % 6000) / 100.0)::numeric, 2) as score) g where s.exam_id = $2`,
    [tenantId, examId, itemId],
  )
const sessionOf = async (userId: string, userType: 1 | 2): Promise<string> => {
  const access = newToken()
  await owner.query(
    `insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
     select $1, $2, $3, 'kaopu-web', $4, now() + interval '2 hours', $5, now() + interval '2 hours', $6,
       coalesce((select jsonb_agg(role_id::text) from account_role where user_id = $2), '[]'), now(), now()`,
    [tenantId, userId, userType, hashToken(access), hashToken(newToken()), 'f'.repeat(64)],
  )
  return access
}
const { rows: askers } = await owner.query<{ id: string }>(
  `select user_id::text as id from signup where exam_id = $1 order by id limit $2`,
  [examId, callers],
)
const tokens: string[] = []
for (const { id } of askers) tokens.push(await sessionOf(id, 2))
const staff = await one(
  `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name) values ($1, 'bench', 'bench', 1, 'b', 'b') returning id::text as id`,
  [tenantId],
)
await owner.query(
  `insert into account_role (tenant_id, user_id, role_id) select $1::varchar, $2, id from role where role_alias = 'exam_admin' and tenant_id = $1::varchar`,
  [tenantId, staff],
)
const office = await sessionOf(staff, 1)
await owner.query('vacuum analyze')

const product = await startProduct({ databaseUrl: database.url, dataDir: cluster.dataDir, port: 8580 })
const client = createClient(product.url, connections + 4)
try {
  const release = async (itemIds: string): Promise<number> => {
    const began = performance.now()
    const body = JSON.stringify({ examId, itemIds, state: 1, confirmCode: 'SCORE1' })
    const headers = { 'blade-auth': `bearer ${office}`, 'content-type': 'application/json' }
    const reply = await client.send({ method: 'POST', path: '/api/blade-exam/examination/releaseResults', headers, body })
    if (reply.status !== 200) throw new Error(`release: ${reply.status} ${reply.body.toString()}`)
    return performance.now() - began
  }
  const firstMs = await release(papers[0] ?? '')
  const path = `/api/blade-signup/score/getExamScore?examId=${examId}`
  let next = 0
  const call = (): Call => {
    next += 1
    return { method: 'GET', path, headers: { 'blade-auth': `bearer ${tokens[next % tokens.length]}` } }
  }
  const took: { readonly at: number; readonly ms: number }[] = []
  const bad = new Map<number, number>()
  const [serverBefore, databaseBefore] = [cpuOfProgram(product.pid), cpuOfDatabase(cluster.postmaster)]
  const began = performance.now()
  const caller = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const sent = performance.now()
      const { status } = await client.send(call())
      if (status === 200) took.push({ at: sent - began, ms: performance.now() - sent })
      else bad.set(status, (bad.get(status) ?? 0) + 1)
    }
  }
  const running = Promise.all(Array.from({ length: connections }, caller))
  await new Promise(done => setTimeout(done, (seconds * 1_000) / 3))
  const from = performance.now() - began
  const secondMs = await release(papers[1] ?? '')
  await running
  const wall = (performance.now() - began) / 1_000
  const server = cpuOfProgram(product.pid) - serverBefore
  const databaseCpu = cpuOfDatabase(cluster.postmaster) - databaseBefore
  const line = (name: string, part: typeof took, overSeconds: number): void => {
    const sorted = part.map(one => one.ms).sort((a, b) => a - b)
    const rate = Math.round(part.length / overSeconds)
    console.log(`${name}: ${rate}/s, p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p95 ${quantile(sorted, 0.95).toFixed(1)} ms`)
  }
  const isBeside = (one: { at: number }) => one.at >= from && one.at <= from + secondMs
  console.log(
    `${people} people; releases took ${(firstMs / 1_000).toFixed(1)} s alone and ${(secondMs / 1_000).toFixed(1)} s beside the look-ups`,
  )
  line('all', took, wall)
  line('beside the release', took.filter(isBeside), secondMs / 1_000)
  console.log(`refused: ${[...bad].map(([status, count]) => `${status} × ${count}`).join(', ') || 'none'}`)
  const each = ((server + databaseCpu) / took.length) * 1_000
  console.log(
    `CPU of a look-up: server ${((server / took.length) * 1_000).toFixed(2)} ms, database ${((databaseCpu / took.length) * 1_000).toFixed(2)} ms; ${Math.round(1_000 / each)}/s a core; ${wanted.perSecond}/s (p95 ${wanted.p95Ms} ms) takes ${((wanted.perSecond * each) / 1_000).toFixed(1)} cores`,
  )
} finally {
  client.close()
  await product.stop()
  await database.close()
  await cluster.stop()
}
