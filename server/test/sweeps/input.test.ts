import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFrameworkSubmit } from '#contract/kernel/framework.ts'
import type { Route } from '#contract/kernel/route.ts'
import { resources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { isSwept, isWhole, sweptRoutes } from '../support/swept-routes.ts'

const isLong = Boolean(process.env['KAOPU_LONG'])

let t: TestApp
let staff: Person
/** For what only the platform's own tenant may call. */
let operator: Person
let candidate: Person
let guest: Pick<Person, 'get' | 'post'>
beforeAll(async () => {
  t = await startTestApp()
  const tenant = await t.tenant()
  for (const one of [tenant, t.platform()])
    await one.db(db =>
      db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${one.tenantId}, r.id, m.id from role r cross join menu m where r.role_alias = 'admin' on conflict do nothing`,
      ),
    )
  staff = await tenant.staff('admin')
  operator = await t.platform().staff(['administrator', 'admin'])
  candidate = await tenant.candidate()
  guest = await tenant.guest()
})
afterAll(() => t.close())

const callerOf = (route: Route): Pick<Person, 'get' | 'post'> =>
  'guest' in route.access
    ? guest
    : 'staff' in route.access || 'signedIn' in route.access
      ? 'platform' in route.access
        ? operator
        : staff
      : 'public' in route.access
        ? t.anonymous()
        : candidate
const call = (route: Route, options: Parameters<Person['post']>[1]) => {
  const path = route.path.replace(/:\w+/g, '1')
  return route.method === 'GET' ? callerOf(route).get(path, options) : callerOf(route).post(path, options)
}
const properties = (route: Route): readonly string[] => Object.keys((route.input as { properties?: object }).properties ?? {})
const posts = sweptRoutes.filter(
  route =>
    route.method === 'POST' &&
    route.answer !== 'bare' &&
    !route.path.includes('/notify/') &&
    !route.path.includes('/refundNotify/') &&
    !route.path.endsWith('/logout'),
)

describe('input of every route', () => {
  test.each(posts.map(route => [route.path, route] as const))(
    '%s refuses a field it does not know, by its name, and the fields the server owns',
    async (_path, route) => {
      // Where the tenant is the caller's to name, one that is not there is refused before anything else is looked at.
      const owned = properties(route).includes('tenantId') ? {} : { tenantId: 'x' }
      const answer = await call(route, { json: { notAField: 1, ...owned, createUser: '1' } })
      // A call that is refused altogether looks at no field.
      if (answer.body.reason === 'kernel/not-supported' || answer.body.code === 2001) return
      expect(answer.status).toBe(400)
      const named = (answer.body.data?.fields ?? []).map((problem: { field: string }) => problem.field)
      // Clients of the framework send back what only the server writes: their forms ignore it.
      const owns = isFrameworkSubmit(route) ? [] : ['createUser', 'tenantId']
      const unknown = ['notAField', ...owns].filter(name => !properties(route).includes(name))
      expect(unknown.filter(name => !named.includes(name))).toEqual([])
    },
  )

  test.each(posts.map(route => [route.path, route] as const))('%s survives hostile bodies without a defect', async (_path, route) => {
    for (const options of [
      { headers: { 'content-type': 'application/json' } },
      { json: [] },
      { json: 'text' },
      { json: Object.fromEntries(properties(route).map(name => [name, '9999999999999999999'])) },
      { form: Object.fromEntries(properties(route).map(name => [name, `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`])) },
      { json: { ids: "1' or 1=1 --", id: '1;drop table account', examId: '\u0000' } },
      { json: JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1}}') },
      { form: { ids: '%00', examId: '../../etc/passwd' } },
    ]) {
      const answer = await call(route, options as never)
      expect({ options, status: answer.status, isDefect: answer.status >= 500 }).toMatchObject({ isDefect: false })
    }
  })

  const readings = sweptRoutes.filter(route => route.method === 'GET' && route.answer !== 'bare' && properties(route).length > 0)
  test.each(readings.map(route => [route.path, route] as const))('%s answers hostile queries without a defect', async (_path, route) => {
    const answers: string[] = []
    for (const hostile of ['9999999999999999999', '\u0000', '1.5', '2147483648', '2026-02-30', '[[[[']) {
      const ask = async (names: readonly string[], right: Readonly<Record<string, string>>) => {
        const answer = await call(route, { query: { ...right, ...Object.fromEntries(names.map(name => [name, hostile])) } })
        if (answer.status >= 500) answers.push(`${names.join(', ')}=${hostile}: ${answer.status}`)
        return answer
      }
      const { body } = await ask(properties(route), {})
      // What the input's form let through is asked apart, so that the refusal of one field does not hide another.
      const refused = new Set((body?.data?.fields ?? []).map((problem: { field: string }) => problem.field))
      const left = properties(route)
        .filter(one => !refused.has(one) && (!one.includes('_') || /_(equal|ge|dateequal)$/.test(one)))
        .slice(0, 25)
      // Together where all of them are taken; one by one where one of them is refused, and in `npm run test:long`.
      const right = { examId: '1', id: '1' }
      if (isLong || (await ask(left, right)).status >= 400) for (const name of left) await ask([name], right)
    }
    expect(answers).toEqual([])
  })

  type Declared = { readonly 'x-calendar'?: 'day' | 'time'; readonly anyOf?: readonly Declared[] }
  const calendarOf = (schema: Declared): 'day' | 'time' | undefined =>
    schema['x-calendar'] ?? schema.anyOf?.map(calendarOf).find(kind => kind !== undefined)
  const dated = sweptRoutes.flatMap(route =>
    Object.entries((route.input as { properties?: Record<string, Declared> }).properties ?? {}).flatMap(([name, schema]) => {
      const kind = calendarOf(schema)
      return kind ? [[`${route.method} ${route.path}`, name, kind, route] as const] : []
    }),
  )
  test.each(dated)('%s names %s when it is a %s that does not exist', async (_place, name, kind, route) => {
    if (isWhole) expect(dated.length).toBeGreaterThan(20)
    for (const day of ['2026-02-30', '2026-13-01', '2025-02-29', '0000-00-00']) {
      const value = kind === 'day' ? day : `${day} 00:00:00`
      const answer = await call(route, route.method === 'GET' ? { query: { [name]: value } } : { json: { [name]: value } })
      const problems: { field: string; msg: string }[] = answer.body.data?.fields ?? []
      expect([value, answer.status, problems.find(problem => problem.field === name)?.msg]).toEqual([
        value,
        400,
        expect.stringContaining('不是存在的日期或时间'),
      ])
    }
  })

  const paged = sweptRoutes.filter(
    route => properties(route).includes('size') && properties(route).includes('current') && route.answer !== 'file',
  )
  test.each(paged.map(route => [`${route.method} ${route.path}`, route] as const))(
    '%s keeps page sizes between 1 and 200',
    async (_name, route) => {
      const status = async (query: Record<string, string>) =>
        (await call(route, { query: { examId: '1', noticeId: '1', ...query } })).status
      expect([await status({ size: '0' }), await status({ size: '201' }), await status({ current: '0' })]).toEqual([400, 400, 400])
      expect([200, 400, 404]).toContain(await status({ current: '9999' }))
    },
  )

  test.each(paged.map(route => [`${route.method} ${route.path}`, route] as const))(
    '%s skips at most 200,000 rows for staff and 10,000 for everybody else',
    async (_name, route) => {
      const who = callerOf(route)
      const most = who === staff || who === operator ? 200_000 : 10_000
      // A condition that the list does not know is refused before its pages are counted.
      const known = Object.fromEntries(
        ['examId', 'noticeId', 'parentId', 'sendId'].filter(name => properties(route).includes(name)).map(name => [name, '1']),
      )
      const reasonOf = async (current: number) =>
        (await call(route, { query: { ...known, size: '200', current: String(current) } })).body.reason
      const last = most / 200 + 1
      expect([(await reasonOf(last)) === 'kernel/page-depth', await reasonOf(last + 1)]).toEqual([false, 'kernel/page-depth'])
    },
  )

  test('[S7.04][S5.13] a batch without a row says 请选择至少一条数据, in English in English', async () => {
    for (const resource of resources.filter(one => one.verbs.includes('remove') && isSwept(one))) {
      const caller = resource.scope === 'platform' ? operator : staff
      const zh = await caller.post(`${resource.basePath}/remove`)
      const en = await caller.post(`${resource.basePath}/remove`, { language: 'en' })
      expect([resource.name, zh.body.msg, en.body.msg]).toEqual([resource.name, '请选择至少一条数据', 'Select at least one row'])
    }
  })
})
