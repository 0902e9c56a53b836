import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { plainResources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { makeDept } from '../support/factories.ts'
import { callRoute, inputsOf, type Known } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'
import { canary, canaryIdCard, canaryTicketNo, everyRight, plantPlainRows, plantVictim, rowsOfNouns } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let tenant: TestTenant
let known: Known
/** Its rows of declared nouns, by the paths of the nouns. */
let nouns: ReadonlyMap<string, readonly string[]>
/** Ids of rows that hang on the examination. */
let bound: readonly string[]
let inside: Person
let outside: Person
let nowhere: Person

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  const victim = await plantVictim(t, owner)
  tenant = victim.tenant
  known = victim.known
  const [theirs, other] = [await makeDept(tenant, '招考科'), await makeDept(tenant, '疾控中心')]
  await tenant.db(db => db.run(sql`update examination set dept_id = ${theirs}`))
  // What the canary marks of accounts and parameters belongs to the whole tenant.
  await tenant.db(async db => {
    await db.run(sql`update param set param_name = param_key, param_value = '' where param_name like ${`${canary}%`}`)
    await db.run(sql`update verified_change set old_mask = '甲', new_mask = '乙', reason = '丙'`)
    await db.run(sql`update account set real_name = '某人', nick_name = '某人' where real_name like '金丝雀%'`)
  })
  await everyRight(tenant)
  inside = await tenant.staff('exam_admin', { deptId: theirs })
  outside = await tenant.staff('exam_admin', { deptId: other })
  nowhere = await tenant.staff('exam_admin')
  const tables = ['examination', 'signup', 'exam_pay', 'pay_order', 'ticket', 'result', 'exam_item', 'sign_item', 'sign_file', 'type_code']
  const rows = [...tables, 'import_job', 'examine_record', 'examine_allot'].map(table =>
    owner.query<{ id: string }>(`select id::text as id from ${table} where tenant_id = $1 order by 1 limit 2`, [tenant.tenantId]),
  )
  // Nouns that say they belong to an examination.
  const within = plainResources.filter(noun => noun.within !== undefined)
  const ofNouns = await plantPlainRows(tenant, canary, known['examId']?.[0] ?? '', within)
  bound = [...(await Promise.all(rows)).flatMap(found => found.rows.map(row => row.id)), ...ofNouns]
  nouns = await rowsOfNouns(tenant)
})
afterAll(() => t.close())

/** Administration of the tenant and of oneself, which knows no examinations. A new prefix is swept without being named anywhere. */
const isBeside = (route: Route): boolean =>
  /^\/(blade-system|blade-auth|blade-log|blade-desk|blade-resource|blade-develop|demo)\//.test(route.path) ||
  /\/(notify|refundNotify)\/:tenantId$/.test(route.path) ||
  'public' in route.access
const swept = (): Route[] => sweptRoutes.filter(route => !isBeside(route))

const marks = ['金丝雀', canaryIdCard, canaryTicketNo, '160****0001', 'E26031710000003ABCDEFGHIJ']

/** Every row behind the examination, apart from what the callers made themselves. */
const rowsBehind = async (): Promise<Record<string, string>> => {
  const { rows } = await owner.query<{ name: string }>(`select tablename as name from pg_policies where policyname = 'within_departments'`)
  const digests: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: found } = await owner.query<{ digest: string }>(
      `select coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest from ${name} r where tenant_id = $1 and not coalesce(to_jsonb(r)->>'created_by', '') = any($2)`,
      [tenant.tenantId, [outside.userId, nowhere.userId]],
    )
    digests[name] = found[0]?.digest ?? ''
  }
  return digests
}

describe('[S4.11][S6.03] an examination of another department, swept over every route with the ids of its rows', () => {
  test('administrators of other departments and of none get nothing of it and change nothing in it', async () => {
    const before = await rowsBehind()
    const leaks: string[] = []
    let calls = 0
    for (const route of swept())
      for (const input of inputsOf(route, known, bound, nouns))
        for (const [who, person] of [
          ['outside', outside],
          ['nowhere', nowhere],
        ] as const) {
          const answer = await callRoute(person, route, input, known)
          calls += 1
          const text = answer.raw.toString('utf8')
          if (marks.some(mark => text.includes(mark)) || answer.status >= 500)
            leaks.push(`${who} ${route.method} ${route.path} ${answer.status} ${text.slice(0, 200)}`)
        }
    console.log(`department sweep: ${calls} calls, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
    expect(await rowsBehind()).toEqual(before)
  }, 300_000)

  test('the same calls answer a colleague of the department, so the sweep would have seen something', async () => {
    const answered = new Set<string>()
    for (const route of swept().filter(one => one.method === 'GET'))
      for (const input of inputsOf(route, known, bound, nouns)) {
        const text = (await callRoute(inside, route, input, known)).raw.toString('utf8')
        if (!marks.some(mark => text.includes(mark))) continue
        answered.add(route.path)
        // One answer shows that the route tells something.
        break
      }
    if (!isWhole) return
    expect([...answered]).toEqual(
      expect.arrayContaining([
        '/blade-exam/examination/page',
        '/blade-exam/examination/detail',
        '/blade-signup/signup/detail',
        '/blade-signup/examine/getExamineList',
      ]),
    )
    expect(answered.size).toBeGreaterThan(12)
  }, 300_000)
})
