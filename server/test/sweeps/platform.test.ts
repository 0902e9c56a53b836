import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemRoles } from '#contract/access/role.ts'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { straight } from '../support/drawing.ts'
import { dataOf, deployDrawing } from '../support/flow.ts'
import { callRoute, type Known, requiredInput } from '../support/route-calls.ts'
import { everyRight } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let elsewhere: TestTenant
let operator: Person
/** Somebody of each role of the platform's tenant that is not its administrator; all of these roles hold every right there is. */
let others: readonly (readonly [role: string, person: Person])[]
let known: Known

const always = (route: Route): boolean =>
  'platform' in route.access || ('reachesAll' in route.access && route.access.reachesAll === 'always')
const asked = (route: Route): boolean => 'reachesAll' in route.access && route.access.reachesAll === 'asked'

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  elsewhere = await t.tenant()
  const platform = t.platform()
  operator = await platform.staff('administrator')
  const clerk = await elsewhere.staff('admin')
  const xml = (key: string) => straight(key, [['a', `flowable:assignee="${clerk.userId}"`]])
  const { id: modelId } = dataOf(await operator.post('/blade-flow/model/submit', { json: { modelEditorXml: xml('common') } }))
  const deployed = dataOf(await operator.post('/blade-flow/model/deploy', { json: { modelId, category: 'flow_4', tenantIds: '' } }))
  const common = deployed.definitions[0]
  expect(common.tenantId).toBe('')
  await deployDrawing(clerk, xml('theirs'))
  const { rows } = await owner.query<{ deploymentId: string }>(
    'select deployment_id::text as "deploymentId" from flow_definition where id = $1',
    [common.id],
  )
  await t.app.modules.job.ensureOwn()
  const jobs = await owner.query<{ id: string }>(
    `select id::text as id from job_info where tenant_id = '000000' and not is_deleted order by id limit 3`,
  )
  const ids = jobs.rows.map(row => row.id)
  expect(ids.length).toBeGreaterThan(0)
  known = {
    ...{ modelId: [modelId], category: ['flow_4'], processId: [common.id], deploymentIds: [rows[0]?.deploymentId ?? ''] },
    ...{ id: ids, ids, jobInfoId: ids, ofTenant: [elsewhere.tenantId], confirm: ['1'], state: ['suspend'] },
  }
  await everyRight(platform)
  await platform.db(async db => {
    await db.run(sql`insert into role (tenant_id, role_name, role_alias) values ('000000', '平台运维', 'helpers')`)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id) select '000000', r.id, m.id from role r cross join menu m
      where r.role_alias not in ('administrator', 'candidate') and not r.is_deleted and not m.is_deleted on conflict do nothing`)
  })
  const roles = [...systemRoles.filter(role => role !== 'administrator' && role !== 'candidate'), 'helpers'] as Parameters<
    TestTenant['staff']
  >[0][]
  others = await Promise.all(roles.map(async role => [String(role), await platform.staff(role)] as const))
})
afterAll(() => t.close())

/** What refusals and reading leave behind on purpose, and what is the platform's tenant's own. */
const traces = new Set(['session', 'login_try', 'login_log', 'audit_log', 'audit_pending', 'outbox', 'idempotency', 'lock_watch'])
/** Rows of every other tenant, of no tenant, and those of the platform that all tenants use. */
const digest = async (): Promise<Readonly<Record<string, string>>> => {
  const { rows: tables } = await owner.query<{ name: string; hasTenant: boolean }>(
    `select c.relname as name, exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') as "hasTenant"
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name, hasTenant } of tables) {
    if (traces.has(name) || name.startsWith('log_')) continue
    const shared: Readonly<Record<string, string>> = {
      flow_definition: 'or r.is_common',
      oss: 'or true',
      sms_provider: 'or true',
      job_info: 'or true',
    }
    const where = hasTenant ? `where r.tenant_id <> '000000' ${shared[name] ?? ''}` : ''
    const { rows } = await owner.query<{ md5: string }>(
      `select md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as md5 from "${name}" r ${where}`,
    )
    found[name] = rows[0]?.md5 ?? ''
  }
  return found
}

describe('acting for the platform is one question, which the declaration of a route asks', () => {
  test('a route that acts for the platform is closed to every role of its tenant but administrator, whatever that role holds', async () => {
    const before = await digest()
    const open: string[] = []
    for (const route of allRoutes().filter(always))
      for (const [role, person] of others) {
        const { status } = await callRoute(person, route, requiredInput(route, known), known)
        if (status !== 403) open.push(`${role} ${route.method} ${route.path} → ${status}`)
      }
    expect(open).toEqual([])
    expect(await digest()).toEqual(before)
  }, 300_000)

  test('in another tenant a route whose rows are shared works as any other', async () => {
    await everyRight(elsewhere)
    const holder = await elsewhere.staff('exam_admin')
    const closed: string[] = []
    for (const route of allRoutes().filter(one => always(one) && !('platform' in one.access))) {
      const { status } = await callRoute(holder, route, requiredInput(route, {}), {})
      if (status === 403) closed.push(`${route.method} ${route.path}`)
    }
    expect(closed).toEqual([])
  })

  test('a route that is asked to act for the platform does nothing beyond the own tenant for any other role', async () => {
    const before = await digest()
    const told: string[] = []
    const routes = allRoutes().filter(asked)
    expect(routes.length).toBeGreaterThan(20)
    for (const route of routes)
      for (const [role, person] of others) {
        const { properties } = route.input as unknown as { properties: Record<string, unknown> }
        const base = requiredInput(route, known)
        const wider: Record<string, unknown>[] = [
          base,
          ...('all' in properties ? [{ ...base, all: 1 }] : []),
          ...('tenantIds' in properties
            ? [
                { ...base, tenantIds: '' },
                { ...base, tenantIds: elsewhere.tenantId },
              ]
            : []),
          ...('confirm' in properties ? [{ ...base, confirm: 1 }] : []),
        ]
        for (const input of wider) {
          const answer = await callRoute(person, route, input, known)
          if (answer.status === 200 && JSON.stringify(answer.body?.data ?? '').includes(elsewhere.tenantId))
            told.push(`${role} ${route.path} tells of another tenant`)
          if (answer.status === 200 && ('all' in input || 'ofTenant' in input)) told.push(`${role} ${route.path} ${JSON.stringify(input)}`)
        }
        if ('tenantIds' in properties) {
          const mine = await callRoute(person, route, { ...base, tenantIds: '' }, known)
          const tenants = (mine.body?.data?.definitions ?? []).map(({ tenantId }: { tenantId: string }) => tenantId)
          if (tenants.some((tenantId: string) => tenantId !== '000000')) told.push(`${role} ${route.path} deploys for ${tenants}`)
        }
      }
    expect(told).toEqual([])
    expect(await digest()).toEqual(before)
  }, 300_000)
})

describe('the trail of an act for the platform stands in each tenant that it touches', () => {
  const lineIn = (tenant: TestTenant, action: string) =>
    tenant.rows(
      sql<{
        kind: string
        by: string | null
      }>`select actor_kind as kind, after_value ->> 'by' as by from audit_log where action = ${action} order by id`,
    )

  test('a common process, a shared service, a parameter, a log that was read', async () => {
    const another = await t.tenant()
    const account = await t.platform().rows(sql<{ account: string }>`select account from account where id = ${operator.userId}`)
    const by = `000000 ${account[0]?.account}`
    expect(
      (await operator.post('/blade-flow/manager/change-state', { json: { processId: known['processId']?.[0], state: 'suspend' } })).status,
    ).toBe(200)
    expect((await operator.get('/blade-log/usual/list', { query: { ofTenant: elsewhere.tenantId } })).status).toBe(200)
    const local = await operator.post('/blade-resource/oss/submit', { json: { category: '7', ossCode: 'disk' } })
    expect(local.status).toBe(200)
    await t.runTasks()
    // To run it twice writes nothing twice.
    for (const tenant of [elsewhere, another])
      expect([await lineIn(tenant, 'flow-definition.suspended'), await lineIn(tenant, 'oss.added')]).toEqual([
        [{ kind: 'system', by }],
        [{ kind: 'system', by }],
      ])
    expect([await lineIn(elsewhere, 'log.read'), await lineIn(another, 'log.read')]).toEqual([[{ kind: 'system', by }], []])
  })
})
