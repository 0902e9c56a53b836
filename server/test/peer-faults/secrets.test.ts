import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets, parseSecrets } from '#kernel/secrets.ts'
import { smsTemplates, smsText } from '#modules/message/templates/sms.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { testPassword } from '../support/login.ts'
import { type Logins, loginsOf, tabOf } from '../support/logins.ts'
import { resetByTwo } from '../support/two-persons.ts'

let t: TestApp
let tenant: TestTenant
let people: Logins
let operator: Person
/** Everything the program has logged, at the level that tells most. */
let logged = ''
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  t = await startTestApp({ log: createLog('trace', sink) })
  tenant = await t.tenant()
  people = loginsOf(t, tenant)
  operator = await t.platform().staff('administrator')
})
afterAll(() => t.close())

/** Every text inside a value. */
const textsIn = (value: unknown): string[] => {
  if (value === undefined) return []
  if (Buffer.isBuffer(value)) return [value.toString('hex')]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)]
}

test('[PF 1] two installations share no secret, and the constants of others are no keys', async () => {
  const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'kaopu-install-'))))
  const [first = [], second = []] = (await Promise.all(folders.map(dataDir => loadSecrets({ dataDir })))).map(textsIn)
  await Promise.all(folders.map(folder => rm(folder, { recursive: true })))
  expect([first.length > 10, new Set(first).size === first.length]).toEqual([true, true])
  expect(first.filter(text => second.includes(text))).toEqual([])
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-install-'))
  await loadSecrets({ dataDir })
  const { readFile } = await import('node:fs/promises')
  const stored = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
  await rm(dataDir, { recursive: true })
  for (const known of [
    'bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject',
    'kPH+bIxk5D2deZiIxcaaaA==',
    '',
    'a'.repeat(43),
  ])
    expect(() => parseSecrets('secrets.json', JSON.stringify({ ...stored, tokenKey: known }))).toThrow(/tokenKey/)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { userId } = await tenant.staff('admin')
  const claims = { user_id: userId, tenant_id: tenant.tenantId, role_name: 'administrator', token_type: 'access_token', exp: 4_000_000_000 }
  for (const alg of ['HS256', 'HS512', 'none', 'SM3'])
    expect(
      (await t.anonymous().get('/blade-auth/oauth/user-info', { headers: { 'blade-auth': `bearer ${part({ alg })}.${part(claims)}.x` } }))
        .status,
    ).toBe(401)
})

/** What must stay between two people, made by calls as people make them. */
const secretsOfDay = async (): Promise<Readonly<Record<string, string>>> => {
  const admin = await tenant.staff('admin')
  const { userId, name } = await people.account()
  const tab = await people.tab(t, name)
  const renewed = tabOf(await people.refresh(t, tab))
  const wrong = 'never the right word 81'
  await people.logIn(t, name, wrong)
  const reset = (await resetByTwo([admin, await tenant.staff('admin')], userId)).body.data[0].password
  const own = 'green hill lantern 72'
  const first = tabOf(await people.logIn(t, name, reset))
  await people.post(t, first, '/blade-system/user/update-password', {
    oldPassword: people.seal(reset),
    newPassword: people.seal(own),
    newPassword1: people.seal(own),
  })
  const source = { name: '统计库', kind: 'mysql', host: 'db.example.org', port: 3306, databaseName: 'stat', username: 'reader' }
  const { id } = (await operator.post('/blade-develop/datasource/submit', { json: source })).body.data
  const datasource = 's3cret-of-the-database-72'
  await operator.post('/blade-develop/datasource/password', { json: { id, password: people.seal(datasource) } })
  await operator.post('/blade-develop/datasource/submit', { json: { id, version: 1, ...source, host: 'other.example.org' } })
  const client = {
    clientId: 'leak-app',
    clientName: '程序',
    authorizedGrantTypes: 'captcha',
    accessTokenValidity: 600,
    refreshTokenValidity: 3600,
    isOpen: 1,
  }
  const made = (await operator.post('/blade-system/client/submit', { json: client })).body.data
  const { clientSecret } = (await operator.post('/blade-system/client/renew-secret', { json: { id: made.id } })).body.data
  const candidate = await tenant.candidate({ phone: '16055500072' })
  // Calls that go wrong in the ways that programs like to write down.
  await t.anonymous().get(`/blade-system/user/info?access_token=${renewed.token}`)
  await t.anonymous().get(`/blade-nothing/${renewed.token}`, { headers: { 'blade-auth': `bearer ${renewed.token}` } })
  await people.post(t, renewed, '/blade-auth/oauth/logout', { list: [{ type: 'error', message: 'boom' }] })
  const failing = await t.app.server.inject({
    method: 'POST',
    url: '/api/blade-auth/oauth/token',
    payload: `{"password":"${own}"`,
    headers: { 'content-type': 'application/json' },
  })
  expect([id, made.id, failing.statusCode]).toEqual([expect.any(String), expect.any(String), 400])
  return {
    password: testPassword,
    wrong,
    reset,
    own,
    datasource,
    clientSecret,
    access: tab.token,
    renewed: renewed.token,
    refresh: tab.cookie.split('=')[1] ?? '',
    candidate: candidate.token,
    phone: '16055500072',
  }
}
const leaksIn = (text: string, secrets: Readonly<Record<string, string>>): string[] =>
  Object.entries(secrets).flatMap(([name, value]) => (value === '' || text.includes(value) ? [name] : []))

test('[PF 7][PF 45][PF 48] logs, the log of log-ins, errors and the trail of changes hold no token, password, code or number', async () => {
  const secrets = await secretsOfDay()
  // The log itself is at work: a defect writes what broke and where, and none of what somebody had typed.
  t.app.services.log.error(
    { err: new Error(`duplicate key ${secrets['phone']}`), token: secrets['access'], password: secrets['own'] },
    'looked at',
  )
  t.app.services.log.error({ call: { token: secrets['renewed'], password: secrets['reset'], phone: secrets['phone'] } }, 'looked at again')
  expect([logged.includes('looked at'), leaksIn(logged, secrets)]).toEqual([true, []])
  const kept: Record<string, string> = {}
  for (const at of [tenant, t.platform()])
    for (const table of ['login_log', 'audit_log', 'browser_error', 'idempotency', 'outbox', 'sms_message', 'notify'] as const) {
      const rows = await at
        .rows(sql<{ text: string }>`select to_jsonb(r)::text as text from ${sql.ref(table)} r`)
        .catch((error: { code?: string }) => {
          if (error.code === '42P01' || error.code === '42501') return []
          throw error
        })
      kept[table] = (kept[table] ?? '') + rows.map(row => row.text).join('\n')
    }
  for (const action of ['account.password-reset', 'account.password-changed', 'client.secret-renewed'])
    expect(kept['audit_log']).toContain(action)
  expect(Object.entries(kept).map(([table, text]) => [table, leaksIn(text, secrets)])).toEqual(Object.keys(kept).map(table => [table, []]))
  expect(kept['audit_log']).not.toMatch(/\$argon2|_sealed|secret_hash/)
})

test('[PF 45] a token in an address opens nothing: not as a parameter, not as a part of the path, not in a cookie', async () => {
  const { token } = await tenant.staff('admin')
  const guest = t.anonymous()
  const path = '/blade-auth/oauth/user-info'
  const names = ['access_token', 'accessToken', 'token', 'Blade-Auth', 'blade-auth', 'bearer', 'Authorization', 'authorization']
  const tries = [
    ...names.flatMap(name => [guest.get(path, { query: { [name]: token } }), guest.get(path, { query: { [name]: `bearer ${token}` } })]),
    ...names.map(name => guest.get(path, { headers: { cookie: `${name}=${token}` } })),
    guest.get(path, { headers: { authorization: `Bearer ${token}` } }),
  ]
  expect((await Promise.all(tries)).map(answer => answer.status)).toEqual(tries.map(() => 401))
  expect((await guest.get(path, { headers: { 'blade-auth': `bearer ${token}` } })).status).toBe(200)
})

test('[PF 54] what a message is filled with is text: no template in it is run, no other name is read', () => {
  const hostile = [
    '{code}',
    '{exam}',
    '$&',
    '$1',
    '{{7*7}}',
    '$'.concat('{process.env.HOME}'),
    '<%= 7*7 %>',
    '#{7*7}',
    '{constructor}',
    '{__proto__}',
  ]
  for (const text of hostile) {
    expect(smsText('signup-refused', { exam: text, deadline: '3月' })).toBe(`【考谱】${text} 资格审核未通过，可在 3月 前登录查看原因。`)
  }
  for (const template of Object.keys(smsTemplates) as (keyof typeof smsTemplates)[])
    expect([template, [...smsTemplates[template].matchAll(/\{(\w+)\}/g)].every(([, name = '']) => /^[a-z]+$/.test(name))]).toEqual([
      template,
      true,
    ])
  // Names that every object has are no parameters.
  expect(smsText('login-code', {})).toContain('{code}')
})
