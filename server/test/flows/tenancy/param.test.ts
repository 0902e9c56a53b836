import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { twoPersonActs } from '#contract/kernel/two-persons.ts'
import { parameterRules } from '#contract/tenancy/parameter-rules.ts'
import { sql } from '#kernel/db/sql.ts'
import { seedPlatformParams } from '#modules/tenancy/data/param.repo.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { parameterSeeds } from '../../../seed/base/parameters.ts'
import { seedBase } from '../../../seed/base/seed-base.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
let operator: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  other = await t.tenant()
  admin = await tenant.staff('admin')
  operator = await t.platform().staff('administrator')
})
afterAll(() => t.close())

const rowOf = async (paramKey: string, by = admin) =>
  (await by.get('/blade-system/param/list', { query: { paramKey_equal: paramKey } })).body.data.records[0]
const setOwn = async (paramKey: string, paramValue: string, by = admin) =>
  by.post('/blade-system/param/submit', { json: { id: (await rowOf(paramKey, by)).id, paramValue } })
const setPlatform = (paramKey: string, paramValue: string, by = operator) =>
  by.post('/blade-system/platform-param/submit', { json: { paramKey, paramValue } })
const read = (key: string, of: TestTenant) => of.db(async db => (await readParameters(db, [key]))[key])

describe('[S2.50][S3.01] a parameter has a value of the platform, and of a tenant that wants its own', () => {
  test('a change of the platform reaches every tenant that follows it; a tenant’s own stays, and goes back by reset', async () => {
    const key = 'examine.slaHours'
    expect(await rowOf(key)).toMatchObject({ paramValue: '24', isOwn: 0 })
    expect((await setOwn(key, '48')).status).toBe(200)
    expect(await rowOf(key)).toMatchObject({ paramValue: '48', isOwn: 1 })
    expect((await setPlatform(key, '36')).status).toBe(200)
    expect([await read(key, tenant), await read(key, other)]).toEqual(['48', '36'])
    const third = await t.tenant()
    expect(await read(key, third)).toBe('36')
    const reset = await admin.post('/blade-system/param/reset', { query: { ids: (await rowOf(key)).id } })
    expect(reset.body.data).toEqual({ changed: 1 })
    expect(await rowOf(key)).toMatchObject({ paramValue: '36', isOwn: 0 })
    await setPlatform(key, '24')
    expect(await read(key, tenant)).toBe('24')
    // The same value again is nobody's decision.
    await setOwn(key, '24')
    expect(await rowOf(key)).toMatchObject({ isOwn: 0 })
    expect(await tenant.rows(sql<object>`select before_value as b, after_value as a from audit_log where action = 'param.reset'`)).toEqual([
      { b: { paramKey: key, paramValue: '48' }, a: { paramKey: key, paramValue: '36' } },
    ])
    expect(
      await t
        .platform()
        .rows(
          sql<object>`select before_value->>'paramValue' as b, after_value->>'paramValue' as a, user_id::text as u from audit_log where action = 'platform-param.updated' order by id`,
        ),
    ).toEqual([
      { b: '24', a: '36', u: operator.userId },
      { b: '36', a: '24', u: operator.userId },
    ])
    const listed = (await operator.get('/blade-system/platform-param/list', { query: { paramKey: key } })).body.data
    expect(listed).toMatchObject([{ paramKey: key, paramValue: '24', ownCount: 0, platformOnly: 0 }])
  })

  test('[PF5] nobody in a tenant touches the platform’s values, nor those that are one for all; the platform’s bureau neither', async () => {
    const bureau = await t.platform().staff('admin')
    for (const by of [admin, bureau]) {
      expect((await setPlatform('examine.slaHours', '1', by)).status).toBe(403)
      expect((await by.get('/blade-system/platform-param/list')).status).toBe(403)
      expect((await setOwn('log.apiDays', '365', by)).body.reason).toBe('param/platform-only')
    }
    expect((await setOwn('sms.dailyBudget', '77', bureau)).status).toBe(200)
    expect([await read('sms.dailyBudget', tenant), await read('sms.dailyBudget', t.platform())]).toEqual(['5000', '77'])
    expect((await setPlatform('log.apiDays', '365')).body.data.changed).toBeGreaterThan(1)
    expect(await read('log.apiDays', tenant)).toBe('365')
    await setPlatform('log.apiDays', '180')
    const foreignId = (await rowOf('sms.dailyBudget', bureau)).id
    expect((await admin.post('/blade-system/param/reset', { query: { ids: foreignId } })).status).toBe(404)
    await expect(tenant.db(db => db.run(sql`update platform_param set param_value = '1'`))).rejects.toMatchObject({ code: '42501' })
  })

  test('[S5.01] a value that a parameter cannot have is refused by name, in both places; built-in ones are neither removed nor renamed', async () => {
    const wrong = await setOwn('examine.undoMinutes', 'soon')
    expect([wrong.status, wrong.body.data.fields]).toEqual([400, [{ field: 'paramValue', msg: '参数键值：请填 0 至 1440 之间的整数' }]])
    expect((await setPlatform('examine.undoMinutes', '-1')).status).toBe(400)
    expect((await setPlatform('no.such', '1')).status).toBe(404)
    const { id } = await rowOf('examine.undoMinutes')
    expect((await admin.post('/blade-system/param/remove', { query: { ids: id } })).body.reason).toBe('param/built-in')
    expect((await admin.post('/blade-system/param/submit', { json: { id, paramKey: 'mine' } })).body.reason).toBe('param/built-in')
    const own = (await admin.post('/blade-system/param/submit', { json: { paramName: '自建', paramKey: 'own.key', paramValue: 'x' } })).body
      .data.id
    expect(await rowOf('own.key')).toMatchObject({ isOwn: 1 })
    expect((await admin.post('/blade-system/param/reset', { query: { ids: own } })).body.reason).toBe('param/own-only')
    expect((await admin.post('/blade-system/param/remove', { query: { ids: own } })).status).toBe(200)
  })

  test('a reader of English reads, finds and sends back names in English; a name that a tenant gave stays as it is', async () => {
    const headers = { 'accept-language': 'en' }
    const named = async (paramName: string, path = '/blade-system/param/list', by = admin) => {
      const { data } = (await by.get(path, { query: { paramName }, headers })).body
      return (data.records ?? data).map((row: { paramKey: string; paramName: string }) => [row.paramKey, row.paramName])
    }
    const own = (
      await admin.post('/blade-system/param/submit', {
        json: { paramName: 'Messages a day of ours', paramKey: 'own.text', paramValue: 'x' },
      })
    ).body.data.id
    expect(await named('Messages a day')).toEqual(
      expect.toSatisfy(rows => rows.toSorted().join(';') === 'own.text,Messages a day of ours;sms.dailyBudget,Text messages a day'),
    )
    expect([await named('短信每日'), await named('100%')]).toEqual([[['sms.dailyBudget', 'Text messages a day']], []])
    expect(await named('Messages a day', '/blade-system/platform-param/list', operator)).toEqual([
      ['sms.dailyBudget', 'Text messages a day'],
    ])
    const { id } = await rowOf('sms.dailyBudget')
    const save = (paramName: string) => admin.post('/blade-system/param/submit', { json: { id, paramName }, headers })
    expect((await save('Text messages a day')).status).toBe(200)
    expect((await rowOf('sms.dailyBudget')).paramName).toBe('短信每日额度（条）')
    expect((await save('Our budget')).status).toBe(200)
    expect([await named('budget'), (await rowOf('sms.dailyBudget')).paramName]).toEqual([[['sms.dailyBudget', 'Our budget']], 'Our budget'])
    await admin.post('/blade-system/param/remove', { query: { ids: own } })
  })

  test.each([
    ['account.changeWaitHours', '24', '0', '48'],
    ['pay.manualDoubleCheckFen', '100000', '999999999', '0'],
    ['flow.ownRequests', '0', '1', undefined],
    ['sms.dailyBudget', '5000', '1000000', '10'],
  ] as const)(
    '[two persons: parameterChange] one person alone does not weaken a rule of two persons by %s',
    async (key, usual, weak, strong) => {
      const own = await t.tenant()
      const [one, two] = [await own.staff('admin'), await own.staff('admin')]
      const first = await setOwn(key, weak, one)
      expect([first.status, first.body.msg]).toEqual([200, expect.stringContaining('另一人')])
      expect([(await setOwn(key, weak, one)).body.reason, await read(key, own)]).toEqual(['kernel/two-persons-own', usual])
      expect((await setOwn(key, weak, two)).body.data).toEqual({ id: (await rowOf(key, one)).id })
      expect(await rowOf(key, one)).toMatchObject({ paramValue: weak, isOwn: 1 })
      // Back to what is stricter needs nobody else, by either way.
      expect((await one.post('/blade-system/param/reset', { query: { ids: (await rowOf(key, one)).id } })).body.data).toEqual({
        changed: 1,
      })
      expect(await read(key, own)).toBe(usual)
      if (strong === undefined) return
      await setOwn(key, strong, one)
      const reset = (by: Person) => rowOf(key, by).then(row => by.post('/blade-system/param/reset', { query: { ids: row.id } }))
      expect((await reset(one)).body.data).toEqual({ changed: 0, waiting: expect.stringContaining('另一人') })
      expect(await read(key, own)).toBe(strong)
      expect((await reset(two)).body.data).toEqual({ changed: 1 })
      expect(await read(key, own)).toBe(usual)
    },
  )

  test('[two persons: platformParameter] nor one operator for every tenant; what was begun on another value is over', async () => {
    const key = 'account.changeWaitHours'
    const second = await t.platform().staff('administrator')
    expect((await setPlatform(key, '0')).body.data).toEqual({ changed: 0, waiting: expect.stringContaining('另一人') })
    expect((await setPlatform(key, '0')).body.reason).toBe('kernel/two-persons-own')
    expect((await setPlatform(key, '36')).body.data.changed).toBeGreaterThan(0)
    expect((await setPlatform(key, '0', second)).body.data).toMatchObject({ changed: 0 })
    expect(await read(key, other)).toBe('36')
    expect((await setPlatform(key, '0')).body.data.changed).toBeGreaterThan(0)
    expect(await read(key, other)).toBe('0')
    await setPlatform(key, '24')
  })

  test('an installation from before keeps every value it had: what differs from the program’s is the tenant’s own from then on', async () => {
    const key = 'examine.lockMinutes'
    await tenant.db(db => db.run(sql`update param set param_value = '25', is_own = false where param_key = ${key}`))
    await t.app.services.scopes.asPlatform('test', t.clock.now(), async db => {
      await db.run(sql`update platform_param set param_value = 'gone' where param_key = 'x'`)
      // As the first start after the update finds it: no value of the platform yet.
      await seedPlatformParams(db, [['legacy.key', '旧参数', '1']])
    })
    await tenant.db(db =>
      db.run(sql`insert into param (tenant_id, param_name, param_key, param_value) values (${tenant.tenantId}, 'x', 'legacy.two', '9')`),
    )
    await other.db(db =>
      db.run(sql`insert into param (tenant_id, param_name, param_key, param_value) values (${other.tenantId}, 'x', 'legacy.two', '1')`),
    )
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db => seedPlatformParams(db, [['legacy.two', '旧参数', '1']]))
    const owner = (of: TestTenant) => of.rows(sql<object>`select param_value as v, is_own as own from param where param_key = 'legacy.two'`)
    expect([await owner(tenant), await owner(other)]).toEqual([[{ v: '9', own: true }], [{ v: '1', own: false }]])
    // A later start changes nothing more.
    await setOwn('account.failCount', '7')
    await seedBase(t.app.services.scopes, t.clock.now())
    expect([await read('account.failCount', tenant), (await owner(tenant))[0]]).toEqual(['7', { v: '9', own: true }])
  })
})

test('[S2.50] every parameter that is seeded is read somewhere and has a rule that its default fits, and none is read that is not seeded', () => {
  const root = join(import.meta.dirname, '../../../src')
  const source = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => readFileSync(join(root, name), 'utf8'))
    .join('\n')
  const seeded = parameterSeeds.map(([key]) => key)
  // Limits of acts that need two persons are read by what the table says.
  const limits = Object.values(twoPersonActs).flatMap(act => ('above' in act ? [act.above as string] : []))
  expect(seeded.filter(key => !source.includes(`'${key}'`) && !limits.includes(key))).toEqual([])
  expect(Object.keys(parameterRules).sort()).toEqual([...seeded].sort())
})

test('[S2.50] a changed parameter is heard by every process that keeps it', async () => {
  const two = await startTestApp({ databaseUrl: t.databaseUrl })
  try {
    const caller = two.anonymous()
    const ask = () => caller.get('/blade-system/dept/list', { headers: { 'blade-auth': `bearer ${admin.token}` } })
    const lines = async () => {
      await two.app.modules.log.flush()
      return (await tenant.rows(sql<{ n: number }>`select count(*)::int as n from api_log where path = '/blade-system/dept/list'`))[0]?.n
    }
    await ask()
    expect(await lines()).toBe(0)
    expect((await setOwn('log.apiScope', 'all')).status).toBe(200)
    await two.app.catchUp()
    await lines()
    await ask()
    expect(await lines()).toBe(1)
  } finally {
    await two.close()
  }
})
