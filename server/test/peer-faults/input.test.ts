import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { rowFieldsOf } from '#contract/kernel/list-condition.ts'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testCaptcha, testSms } from '../support/app.ts'
import { testIdCard } from '../support/id-card.ts'
import { testPassword } from '../support/login.ts'
import { type Logins, loginsOf } from '../support/logins.ts'
import { requiredInput } from '../support/route-calls.ts'
import { everyRight } from '../support/victim.ts'

const isLong = Boolean(process.env['KAOPU_LONG'])

let t: TestApp
let tenant: TestTenant
let people: Logins
/** Somebody with every right, so that nothing but the query itself is in the way. */
let staff: Person
let operator: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  people = loginsOf(t, tenant)
  for (const one of [tenant, t.platform()]) await everyRight(one)
  staff = await tenant.staff('exam_admin')
  operator = await t.platform().staff(['administrator', 'exam_admin'])
})
afterAll(() => t.close())

const callerOf = (route: Route): Person => ('platform' in route.access ? operator : staff)
const propertiesOf = (route: Route): readonly string[] => Object.keys((route.input as { properties?: object }).properties ?? {})
const forStaff = (route: Route): boolean => 'staff' in route.access
/** Rows of the first sheet; hundreds are looked into, so not through the reader's own process. */
const rowsOf = async (answer: Answer): Promise<number> => {
  const zip = await fromBufferPromise(answer.raw, {})
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue
    let xml = ''
    for await (const chunk of await zip.openReadStreamPromise(entry)) xml += String(chunk)
    return xml.match(/<row[ >]/g)?.length ?? 0
  }
  throw new Error('not a workbook')
}
/** Texts that make a query always true where they become part of it. */
const always = [
  "' or '1'='1",
  "') or 1=1 --",
  "' or 1=1)/*",
  '1) or (1=1',
  '%',
  // Four: keys of dictionaries hold one between words.
  '____',
  "' union select account, password_hash from account --",
]

test('[PF 3] a search written as a query into an export finds nothing: not one row more than a name nobody has', async () => {
  const exports = allRoutes().filter(
    route =>
      route.method === 'GET' && route.answer === 'file' && forStaff(route) && /export/i.test(route.path) && propertiesOf(route).length > 0,
  )
  expect(exports.map(route => route.path)).toEqual(expect.arrayContaining(['/blade-system/user/export-user', '/blade-system/param/export']))
  const wrong: string[] = []
  let searched = 0
  for (const route of exports) {
    const texts = Object.entries(
      (route.input as unknown as { properties: Record<string, { type?: string; enum?: unknown; pattern?: string }> }).properties,
    )
      .filter(
        ([name, schema]) =>
          schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined && !/_(null|notnull|not\w+)$/.test(name),
      )
      .map(([name]) => name)
      .filter(name => !['ascs', 'descs', 'current', 'size'].includes(name))
    for (const name of texts.slice(0, 6)) {
      const ask = (value: string) => callerOf(route).get(route.path, { query: { [name]: value } })
      const none = await ask('没有人有这个名字')
      if (none.status !== 200) continue
      searched += 1
      const floor = await rowsOf(none)
      // Every text at every field is part of `npm run test:long`; two of them at each, in turns, are enough to see a query that is put together.
      const tried = isLong ? always : [0, 3].map(step => always[(searched + step) % always.length] ?? '%')
      for (const value of tried) {
        const answer = await ask(value)
        const more = answer.status === 200 && (await rowsOf(answer)) > floor
        if (answer.status >= 500 || more) wrong.push(`${route.path} ${name}=${value} → ${answer.status}`)
      }
    }
  }
  expect(searched).toBeGreaterThan(10)
  expect(wrong).toEqual([])
  const accountsFor = async (account: string) => rowsOf(await staff.get('/blade-system/user/export-user', { query: { account } }))
  expect([(await accountsFor('staff')) > (await accountsFor('没有人')), await accountsFor("' or '1'='1")]).toEqual([
    true,
    await accountsFor('没有人'),
  ])
})

describe('names of columns and tables from outside', () => {
  const listed = allRoutes().filter(
    route => route.method === 'GET' && route.answer === undefined && forStaff(route) && propertiesOf(route).includes('size'),
  )
  const foreign = [
    'toString',
    'constructor',
    'password_hash',
    'account.password_hash',
    'passwordHash',
    'tenant_id',
    'tenantId',
    'pg_sleep(1)',
    '(select 1)',
    'id,(case when 1=1 then 1 end)',
    '"id"',
    'id desc nulls first',
  ]
  const outcome = ({ status, body }: Answer) => [status, status === 200 ? (body.data?.total ?? body.data?.length ?? null) : body.reason]

  test('[PF 32] a list is sorted and searched by its own columns only; any other name is refused or changes nothing', async () => {
    const odd: string[] = []
    let turn = 0
    for (const route of listed) {
      const base = requiredInput(route, {}) as Record<string, string>
      const ask = async (query: Record<string, string>) => callerOf(route).get(route.path, { query: { ...base, ...query } })
      // Asked twice: looking at the trail of changes is itself a line of it, once.
      const plain = [await ask({}), await ask({})].map(answer => JSON.stringify(outcome(answer)))
      const isPlain = (answer: Answer) => plain.includes(JSON.stringify(outcome(answer)))
      const names = foreign.filter(one => !propertiesOf(route).includes(one) && !rowFieldsOf(route).has(one))
      const searches = names.flatMap(name => [{ [name]: 'x' }, { [`${name}_like`]: 'x' }, { [`${name}_equal`]: '1' }])
      // Each name in both orders at every list is part of `npm run test:long`; else a third of them at each, in turns.
      turn += 1
      const orders = names.flatMap((name, at) =>
        isLong ? [{ ascs: name }, { descs: name }] : (at + turn) % 3 > 0 ? [] : [turn % 2 === 0 ? { ascs: name } : { descs: name }],
      )
      const judge = (query: Record<string, string>, answer: Answer) => {
        if (answer.status !== 400 && !isPlain(answer))
          odd.push(`${route.path} ${JSON.stringify(query)} → ${JSON.stringify(outcome(answer))}, plain ${plain}`)
      }
      // All at once: where that changes nothing, none of them does. Otherwise by halves, down to the one that is refused or to blame.
      const search = async (some: readonly Record<string, string>[]): Promise<void> => {
        const together: Record<string, string> = Object.assign({}, ...some)
        const answer = await ask(together)
        if (isPlain(answer)) return
        const named = new Set((answer.body?.data?.fields ?? []).map(({ field }: { field: string }) => field))
        const left = some.filter(one => !named.has(Object.keys(one)[0]))
        if (some.length === 1) judge(together, answer)
        else if (left.length < some.length) await search(left)
        else for (const half of [left.slice(0, left.length / 2), left.slice(left.length / 2)]) await search(half)
      }
      await search(searches)
      for (const query of orders) judge(query, await ask(query))
    }
    expect(listed.length).toBeGreaterThan(30)
    expect(odd).toEqual([])
  })

  test('[PF 55] no search leads through a row to the secrets of the person behind it', async () => {
    const { userId } = await people.account()
    await tenant.db(db => db.run(sql`update account set real_name = '关系人' where id = ${userId}`))
    const paths = [
      'createdBy.passwordHash',
      'createdBy[passwordHash]',
      'account.passwordHash',
      'user.password',
      'roles.accounts.passwordHash',
      'session.accessHash',
      'passwordHash',
      'password_hash',
      'oneTimeUntil',
    ]
    const odd: string[] = []
    for (const route of listed) {
      const base = requiredInput(route, {}) as Record<string, string>
      const plain = outcome(await callerOf(route).get(route.path, { query: base }))
      const searches = paths.flatMap(path =>
        ['', '_likeright', '_notnull', '_ge', '[$startsWith]'].map(suffix => ({ [path + suffix]: '$argon2' })),
      )
      const ask = async (query: Record<string, string>): Promise<Answer> => {
        const answer = await callerOf(route).get(route.path, { query: { ...base, ...query } })
        if (answer.raw.includes('argon2')) odd.push(`${route.path} shows a hash`)
        return answer
      }
      const isPlain = (answer: Answer) => JSON.stringify(outcome(answer)) === JSON.stringify(plain)
      // As above: all at once, and one by one where that is refused or changes something.
      for (const query of isPlain(await ask(Object.assign({}, ...searches))) ? [] : searches) {
        const answer = await ask(query)
        if (answer.status !== 400 && !isPlain(answer)) odd.push(`${route.path} ${Object.keys(query)}`)
      }
    }
    expect(odd).toEqual([])
  })
})

test('[PF 53] a code, a password or an id of another type than text matches nobody', async () => {
  const others = [{}, [], null, true, 0, 1, { $ne: null }, ['x'], { length: 6 }]
  const name = (await people.account()).name
  const guest = t.anonymous(tenant.tenantId)
  const phone = '16055500053'
  const sms = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: people.seal(phone) } })
  const count = async () =>
    (
      await tenant.rows(
        sql<object>`select (select count(*)::int from session) as sessions, (select count(*)::int from account) as accounts, (select md5(string_agg(coalesce(password_hash, ''), ',' order by id)) from account) as passwords`,
      )
    )[0]
  const before = await count()
  const admin = await tenant.staff('admin')
  const inside = await count()
  expect(inside).not.toEqual(before)
  const register = {
    username: 'wrongtype',
    password: people.seal('Sunny-river-27'),
    password2: people.seal('Sunny-river-27'),
    realName: '李测',
    phone: people.seal(phone),
    idCard: testIdCard(53),
    smsId: sms.body.data.id,
    smsCode: testSms,
    consent: '1',
  }
  const answers: [string, number][] = []
  for (const other of others) {
    const { key } = (await guest.get('/blade-auth/oauth/captcha', { ip: `10.53.0.${others.indexOf(other)}` })).body
    const login = { grant_type: 'captcha', username: name, password: people.seal(testPassword), key, code: testCaptcha }
    for (const field of ['username', 'password', 'key', 'code', 'grant_type'] as const)
      answers.push([
        `token ${field} ${JSON.stringify(other)}`,
        (await guest.post('/blade-auth/oauth/token', { json: { ...login, [field]: other } })).status,
      ])
    const code = { grant_type: 'sms_code', phone: people.seal(phone), id: sms.body.data.id, value: testSms }
    for (const field of ['phone', 'id', 'value'] as const)
      answers.push([
        `sms ${field} ${JSON.stringify(other)}`,
        (await guest.post('/blade-auth/oauth/token', { json: { ...code, [field]: other } })).status,
      ])
    for (const field of ['smsId', 'smsCode', 'password', 'idCard', 'username'] as const)
      answers.push([
        `register ${field} ${JSON.stringify(other)}`,
        (await guest.post('/blade-system/user/register', { json: { ...register, [field]: other } })).status,
      ])
    if (other !== 0 && other !== 1 && other !== true)
      answers.push([
        `reset ${JSON.stringify(other)}`,
        (await admin.post('/blade-system/user/reset-password', { json: { userIds: other } })).status,
      ])
    answers.push([
      `refresh ${JSON.stringify(other)}`,
      (await guest.post('/blade-auth/oauth/token', { json: { grant_type: 'refresh_token', refresh_token: other } })).status,
    ])
  }
  expect(answers.filter(([, status]) => status < 400 || status >= 500)).toEqual([])
  expect(await count()).toEqual(inside)
})

test('[PF 56] the designer of a form makes no column and runs nothing: names, defaults and patterns of a field are text', async () => {
  const columns = () =>
    tenant.rows(
      sql<object>`select table_name, column_name, data_type, column_default from information_schema.columns where table_schema = 'public' order by 1, 2`,
    )
  const before = await columns()
  const item = { itemKey: 'petName', itemLabel: '宠物', itemLabelEn: 'Pet', fieldType: 'text' }
  const good = await staff.post('/blade-items/items/submit', { json: item })
  expect(good.status).toBe(200)
  for (const change of [
    { itemKey: 'x"; drop table account; --' },
    { itemKey: 'now()' },
    { itemKey: '__proto__' },
    { itemKey: 'constructor' },
    { pattern: '(a+)+$' },
    { pattern: '(?<=x)' },
    { defaultValue: 'knex.raw(1)' },
    { type: 'raw', sql: 'select 1' },
  ])
    expect([change, (await staff.post('/blade-items/items/submit', { json: { ...item, itemKey: 'petAge', ...change } })).status]).toEqual([
      change,
      400,
    ])
  expect(await columns()).toEqual(before)
})

test('[PF 12] a text that people write has no picture, frame or address of a file for the server to open', async () => {
  for (const hostile of [
    '<img src="file:///etc/passwd">',
    '<img src="../../../../etc/passwd">',
    '<image xlink:href="file:///etc/passwd"/>',
    '<iframe src="file:///etc/passwd"></iframe>',
    '<object data="file:///etc/passwd"></object>',
    '<link rel="stylesheet" href="file:///etc/passwd">',
    '<a href="file:///etc/passwd">x</a>',
    '<p style="background:url(file:///etc/passwd)">x</p>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><p>&e;</p>',
  ])
    expect([
      hostile,
      /file:|passwd|<(img|image|iframe|object|link)|style=|&e;/i.test(cleanRichText(hostile).replace('&amp;e;', '')),
    ]).toEqual([hostile, false])
  // Pictures are named by the id of an own stored file, never by a path or an address.
  for (const address of ['/etc/passwd', 'file:///etc/passwd', '../secrets.json', 'http://127.0.0.1:22/', '..%2f..%2fsecrets.json']) {
    const answers = [
      await staff.get(`/file/${encodeURIComponent(address)}`),
      await operator.post('/blade-system/tenant/picture', { json: { tenantId: tenant.tenantId, kind: address } }),
      await t.anonymous().get('/blade-system/tenant/picture', { query: { tenantId: tenant.tenantId, kind: address } }),
      await staff.post('/blade-exam/examination/exportPDFView', { json: { examId: '1', type: '1', layout: address } }),
    ]
    expect([address, answers.map(answer => answer.status >= 400 && answer.status < 500 && !answer.raw.includes('root:'))]).toEqual([
      address,
      [true, true, true, true],
    ])
  }
})
