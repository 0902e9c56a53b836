import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { type DatabaseRole, urlFor } from '#kernel/db/pool.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, requiredInput } from '../support/route-calls.ts'
import { canaryIdCard, canaryTicketNo, everyRight, plantVictim } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let victim: TestTenant
/** Every id of the victim's rows that a caller could guess, by the names parameters have. */
let known: Readonly<Record<string, readonly string[]>>
let staff: Person
let outsider: Person
let neighbour: Person

beforeAll(async () => {
  t = await startTestApp()
  owner = new pg.Client({ connectionString: t.databaseUrl })
  await owner.connect()
  const planted = await plantVictim(t, owner)
  victim = planted.tenant
  known = planted.known
  victim = await t.tenant()
  const exam = await buildExam(victim, {
    exam: { exam_name: `${canary}招聘`, description: canary, promise: canary, contact_phone: canary },
  })
  const candidate = await victim.candidate({ realName: canary.slice(0, 3), idCard, phone: '16000000001' })
  const content = answersOf(idCard, '16000000001', { name: '金丝雀', school: canary })
  const { body } = await submit(candidate, exam.examId, { content, fileIds: await uploadAll(candidate) })
  const signupId: string = body.data.id
  const reviewer = await victim.staff('exam_admin', { realName: canary })
  const second = await victim.staff('exam_admin', { realName: canary })
  for (const person of [reviewer, second]) {
    await person.get('/blade-signup/examine/getExamineInfo', { query: { signUpId: signupId } })
    await person.post('/blade-signup/examine/examine', { json: { signUpId: signupId, examineResult: 1, signVersion: 1 } })
  }
  await victim.db(async db => {
    const paper = exam.papers['01']
    await db.run(sql`
      insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
      values (${victim.tenantId}, ${exam.examId}, ${paper}, ${signupId}, ${candidate.userId}, '260301012173', '01', ${canary}, '012', '17', now(), now(), 'released', ${'q'.repeat(43)})`)
    await db.run(sql`
      insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, released)
      values (${victim.tenantId}, ${exam.examId}, ${paper}, ${signupId}, ${candidate.userId}, '260301012173', ${canary}, 78.5, 1, true)`)
    await db.run(sql`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, mchid, appid)
      select ${victim.tenantId}, 'E26031710000003ABCDEFGHIJ', id, user_id, amount_fen, ${canary}, 'pending', now() + interval '1 hour', 'm', 'a' from exam_pay`)
    await db.run(
      sql`insert into param (tenant_id, param_name, param_key, param_value) values (${victim.tenantId}, ${canary}, ${canary}, ${canary})`,
    )
    await db.run(sql`
      insert into verified_change (tenant_id, user_id, field, old_mask, new_mask, reason, proof_file_ids)
      values (${victim.tenantId}, ${candidate.userId}, 'name', ${canary}, ${canary}, ${canary}, '[]')`)
    await db.run(
      sql`insert into import_job (tenant_id, exam_id, kind, file_id, file_name) select ${victim.tenantId}, ${exam.examId}, 'T1', id, ${canary} from stored_file limit 1`,
    )
  })
  await victim.db(db =>
    db.run(sql`
      insert into export_job (tenant_id, kind, session, language, file_name, total, created_by)
      values (${victim.tenantId}, 'POST /blade-signup/signup/exportSignUp', '{}', 'zh', ${canary}, 1, ${reviewer.userId})`),
  )
  const ids = async (table: string, column = 'id'): Promise<string[]> =>
    (
      await owner.query<{ id: string }>(`select ${column}::text as id from ${table} where tenant_id = $1 order by 1 limit 3`, [
        victim.tenantId,
      ])
    ).rows.map(row => row.id)
  const tables = [
    'examination',
    'signup',
    'exam_pay',
    'pay_order',
    'ticket',
    'result',
    'exam_item',
    'sign_item',
    'sign_file',
    'type_code',
    'user_code',
    'item',
    'file_kind',
    'param',
    'account',
    'notify',
    'import_job',
    'export_job',
    'stored_file',
    'examine_record',
    'verified_change',
  ]
  const all = (await Promise.all(tables.map(table => ids(table)))).flat()
  known = {
    id: all,
    ids: all,
    examId: [exam.examId],
    itemId: [exam.papers['01'] ?? ''],
    itemIds: [exam.papers['01'] ?? ''],
    signUpId: [signupId],
    signupId: [signupId],
    signupIds: [signupId],
    eid: [exam.examId],
    payId: await ids('exam_pay'),
    orderNo: ['E26031710000003ABCDEFGHIJ'],
    importId: await ids('import_job'),
    ticketNo: ['260301012173'],
    fileId: await ids('stored_file'),
    userId: [candidate.userId],
    u: [candidate.userId],
    t: [victim.tenantId],
    tenantId: [victim.tenantId],
  }
  const other = await t.tenant()
  await everyRight(other)
  staff = await other.staff('exam_admin')
  outsider = await other.candidate()
  neighbour = await victim.candidate()
})
afterAll(async () => {
  await owner.end()
  await t.close()
})

/** Each call once per id that could be meant. */
const inputsOf = (route: Route): Record<string, unknown>[] => {
  const base = requiredInput(route, known)
  const many = ['id', 'ids'].find(name => name in base)
  return many ? (known[many] ?? []).map(id => ({ ...base, [many]: id })) : [base]
}
/** A digest of everything the victim owns, table by table. */
const rowsOfVictim = async (): Promise<Record<string, string>> => {
  const { rows } = await owner.query<{ name: string }>(`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'tenant_id' and t.table_type = 'BASE TABLE' and c.table_name <> 'login_challenge'`)
  const digests: Record<string, string> = {}
  for (const { name } of rows) {
    // A neighbour of the same tenant may make rows of their own; what the victim has must stay as it is.
    const { rows: found } = await owner.query<{ digest: string }>(
      `select coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest from ${name} r where tenant_id = $1 and to_jsonb(r)->>'user_id' is distinct from $2 and to_jsonb(r)->>'created_by' is distinct from $2`,
      [victim.tenantId, neighbour.userId],
    )
    digests[name] = found[0]?.digest ?? ''
  }
  return digests
}
const skipped = (route: Route): boolean =>
  route.path.endsWith('/logout') ||
  /\/(notify|refundNotify)\/:tenantId$/.test(route.path) ||
  route.path.startsWith('/blade-auth/oauth/token')
/** What everybody may know of a released examination in its own tenant. */
const isPublished = (route: Route): boolean => !('staff' in route.access && !('candidate' in route.access))

describe('[S7.01] isolation, swept over every route with the ids of another tenant', () => {
  test('staff and candidates of another tenant get nothing of the first, and change nothing in it', async () => {
    const before = await rowsOfVictim()
    const leaks: string[] = []
    let calls = 0
    for (const route of allRoutes().filter(one => !skipped(one))) {
      for (const input of inputsOf(route)) {
        for (const [who, person] of [
          ['staff', staff],
          ['candidate', outsider],
        ] as const) {
          const answer = await callRoute(person, route, input, known)
          calls += 1
          const text = answer.raw.toString('utf8')
          if (text.includes('金丝雀') || text.includes(canaryIdCard) || text.includes(canaryTicketNo) || answer.status >= 500)
            leaks.push(`${who} ${route.method} ${route.path} ${answer.status} ${text.slice(0, 200)}`)
        }
      }
    }
    console.log(`tenant sweep: ${calls} calls, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
    expect(await rowsOfVictim()).toEqual(before)
  }, 300_000)

  test('a candidate of the same tenant reads published facts only, and changes nothing of the other', async () => {
    const before = await rowsOfVictim()
    const leaks: string[] = []
    for (const route of allRoutes().filter(one => !skipped(one) && isPublished(one))) {
      for (const input of inputsOf(route)) {
        const text = (await callRoute(neighbour, route, input, known)).raw.toString('utf8')
        if (
          text.includes(canaryIdCard) ||
          text.includes('160****0001') ||
          text.includes(canaryTicketNo) ||
          text.includes('"name":"金丝雀') ||
          text.includes('20260300000001')
        )
          leaks.push(`${route.method} ${route.path} ${text.slice(0, 200)}`)
      }
    }
    expect(leaks).toEqual([])
    expect(await rowsOfVictim()).toEqual(before)
  }, 300_000)

  test('the database alone, without routes and commands, hides and protects the rows', async () => {
    const tables = Object.keys(await rowsOfVictim())
    const visible = async (role: DatabaseRole, tenantId: string, userId: string): Promise<string[]> => {
      const client = new pg.Client({ connectionString: urlFor(t.databaseUrl, role, t.app.services.secrets.databasePasswords[role]) })
      await client.connect()
      await client.query(
        `begin; select set_config('app.tenant_id', '${tenantId}', true), set_config('app.user_id', '${userId}', true), set_config('app.now', '2026-03-17', true)`,
      )
      const seen: string[] = []
      for (const table of tables) {
        await client.query('savepoint one')
        const found = await client
          .query(`select to_jsonb(r)->>'user_id' as owner from ${table} r where tenant_id = $1`, [victim.tenantId])
          .catch(() => undefined)
        if (!found) await client.query('rollback to savepoint one')
        else if (found.rows.length > 0) seen.push(table)
      }
      await client.query('rollback')
      await client.end()
      return seen
    }
    expect(await visible('kaopu_staff', staff.tenantId, staff.userId)).toEqual([])
    expect(await visible('kaopu_candidate', outsider.tenantId, outsider.userId)).toEqual([])
    // Inside the tenant a candidate's role sees what is published, and rows of its own.
    const published = [
      'dict_biz',
      'exam_change',
      'exam_item',
      'examination',
      'menu',
      'param',
      'role',
      'role_menu',
      'school',
      'sign_file',
      'sign_item',
      'tenant',
      'ticket_notice',
      'top_menu',
      'top_menu_menu',
      'type_code',
      'user_code',
    ]
    const own = ['account', 'account_role', 'idempotency', 'notify', 'stored_file', 'user_setting']
    const inside = await visible('kaopu_candidate', victim.tenantId, neighbour.userId)
    expect(inside.filter(table => !published.includes(table) && !own.includes(table))).toEqual([])
  })
})
