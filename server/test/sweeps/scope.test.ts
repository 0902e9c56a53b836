import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxConditions } from '#contract/access/data-scope.ts'
import { isOfTenants } from '#contract/kernel/resource.ts'
import type { Route } from '#contract/kernel/route.ts'
import { resources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, inputsOf, type Known, requiredInput } from '../support/route-calls.ts'
import { sweptRoutes } from '../support/swept-routes.ts'
import { canary, canaryIdCard, canaryTicketNo, everyRight, plantPlainRows, plantVictim, rowsOfNouns } from '../support/victim.ts'

interface Target {
  readonly code: string
  readonly types: readonly number[]
  readonly fields: readonly { readonly name: string; readonly kind: string; readonly operators: readonly string[] }[]
}

let t: TestApp
let owner: pg.Client
let tenant: TestTenant
let keeper: Person
let narrowed: Person
let known: Known
/** Its rows of declared nouns, by the paths of the nouns. */
let nouns: ReadonlyMap<string, readonly string[]>
let targets: readonly Target[]

/** Grants one rule for each noun to everybody who administers examinations, in place of those before. */
const ruleEverything = async (rule: (target: Target) => { scopeType: number; scopeValue?: object[] } | undefined): Promise<void> => {
  await tenant.db(async db => {
    await db.run(sql`delete from role_data_scope`)
    await db.run(sql`update data_scope set is_deleted = true where not is_deleted`)
  })
  for (const target of targets) {
    const body = rule(target)
    if (!body) continue
    const made = await keeper.post('/blade-system/data-scope/submit', {
      json: { scopeName: target.code, resourceCode: target.code, remark: '', ...body },
    })
    expect([target.code, made.body.code, made.body.msg]).toEqual([target.code, 200, '操作成功'])
    await tenant.db(db =>
      db.run(
        sql`insert into role_data_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, id, ${made.body.data.id} from role where role_alias = 'exam_admin'`,
      ),
    )
  }
  await t.app.catchUp()
}

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  const victim = await plantVictim(t, owner)
  tenant = victim.tenant
  known = victim.known
  // The examination itself takes no rules; what hangs on it does. Requests to change verified data and jobs are no nouns of rules either.
  await tenant.db(async db => {
    await db.run(sql`update examination set exam_name = '招聘', description = '', promise = '承诺', contact_phone = '1'`)
    await db.run(sql`update verified_change set old_mask = '甲', new_mask = '乙', reason = '丙'`)
    await db.run(sql`update import_job set file_name = 'x.xlsx'`)
    await db.run(sql`update export_job set file_name = 'x.xlsx'`)
    await db.run(sql`update dept set dept_name = ${canary}, full_name = ${canary}`)
  })
  const depts = (await tenant.rows(sql<{ id: string }>`select id::text as id from dept`)).map(row => row.id)
  const ids = [...(known['id'] ?? []), ...depts, ...(await plantPlainRows(tenant, canary, known['examId']?.[0] ?? ''))]
  nouns = await rowsOfNouns(tenant)
  known = { ...known, id: ids, ids, deptId: depts.slice(0, 1) }
  await everyRight(tenant)
  keeper = await tenant.staff('secadmin')
  targets = (await keeper.get('/blade-system/data-scope/targets')).body.data
  narrowed = await tenant.staff('exam_admin')
  // Some nouns are views that ask what time it is.
  await owner.query(`select set_config('app.now', $1, false)`, [t.clock.now()])
})
afterAll(() => t.close())

const skipped = (route: Route): boolean =>
  route.path.endsWith('/logout') ||
  /\/(notify|refundNotify)\/:tenantId$/.test(route.path) ||
  'public' in route.access ||
  // Who keeps roles and looks at other people's rights sees names by that right, and rules are no noun of rules.
  /^\/blade-system\/(role|data-scope|api-scope|scope|access|view-as|menu|topmenu)\//.test(route.path) ||
  // The trail says who did what to whoever may read it: nobody's part of it is a noun of rules.
  route.path.startsWith('/blade-log/audit/') ||
  // Who is online, who asks to have verified data changed, and whom an examination may be given to are work of their own, not the list of accounts.
  /^\/(blade-system\/online|blade-userupdateinfo\/userupdateinfo|blade-exam\/examination\/getOwners)/.test(route.path)
const marks = ['金丝雀', canaryIdCard, canaryTicketNo, '160****0001', 'E26031710000003ABCDEFGHIJ']
const scopedTables = new Set([
  ...['signup', 'exam_pay', 'pay_order', 'ticket', 'result', 'account', 'dept'],
  ...resources.filter(isOfTenants).map(noun => noun.table),
])
const rowsOf = async (): Promise<Record<string, string>> => {
  const digests: Record<string, string> = {}
  for (const name of scopedTables) {
    const { rows } = await owner.query<{ digest: string }>(
      `select coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest from ${name} r
       where tenant_id = $1 and to_jsonb(r)->>'created_by' is distinct from $2 and id <> $2::bigint`,
      [tenant.tenantId, narrowed.userId],
    )
    digests[name] = rows[0]?.digest ?? ''
  }
  return digests
}
/** The lists that cannot be asked under the rules there are. */
const brokenLists = async (): Promise<string[]> => {
  const broken: string[] = []
  for (const route of sweptRoutes.filter(one => one.method === 'GET' && /\/(page|list|tree|lazy-tree|lazy-list)$/.test(one.path)))
    if (!skipped(route)) {
      const answer = await callRoute(narrowed, route, requiredInput(route, known), known)
      if (answer.status >= 500) broken.push(route.path)
    }
  return broken
}
const sweep = async (): Promise<string[]> => {
  const leaks: string[] = []
  let calls = 0
  for (const route of sweptRoutes.filter(one => !skipped(one)))
    for (const input of inputsOf(route, known, known['id'] ?? [], nouns)) {
      const answer = await callRoute(narrowed, route, input, known)
      calls += 1
      const text = answer.raw.toString('utf8')
      if (marks.some(mark => text.includes(mark)) || answer.status >= 500)
        leaks.push(`${route.method} ${route.path} ${answer.status} ${text.slice(0, 160)}`)
    }
  console.log(`scope sweep: ${calls} calls, ${leaks.length} leaks`)
  return leaks
}

describe('[S7.15][S6.03] data scopes, swept over every noun that takes them and every route', () => {
  test('each kind of rule that a noun offers can be asked of its list', async () => {
    for (const type of [1, 2, 3, 4] as const) {
      await ruleEverything(target => (target.types.includes(type) ? { scopeType: type } : undefined))
      expect(await brokenLists()).toEqual([])
    }
    // Of its fields as many together as a rule takes, those of all nouns at once: a rule on one noun changes nothing of another.
    const emptiness = targets.map(target =>
      target.fields.flatMap(field => {
        const operator = field.operators.find(one => one === 'empty' || one === 'notEmpty')
        return operator === undefined ? [] : [{ field: field.name, operator }]
      }),
    )
    const turns = Math.max(...emptiness.map(conditions => Math.ceil(conditions.length / maxConditions)))
    for (let turn = 0; turn < turns; turn += 1) {
      const ruled = new Map(
        targets.map((target, at) => [target.code, emptiness[at]?.slice(turn * maxConditions, (turn + 1) * maxConditions) ?? []]),
      )
      await ruleEverything(target => {
        const conditions = ruled.get(target.code) ?? []
        return conditions.length > 0 ? { scopeType: 5, scopeValue: [...conditions] } : undefined
      })
      expect(await brokenLists()).toEqual([])
    }
  }, 300_000)

  test('a rule that leaves nothing leaves nothing, in lists, details, exports, figures and ids of bodies', async () => {
    await ruleEverything(target =>
      target.types.includes(2) ? { scopeType: 2 } : { scopeType: 5, scopeValue: [{ field: 'unit', operator: 'in', values: ['NOWHERE'] }] },
    )
    const before = await rowsOf()
    expect(await sweep()).toEqual([])
    expect(await rowsOf()).toEqual(before)
  }, 300_000)
})
