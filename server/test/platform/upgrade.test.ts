import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createManualClock } from '#kernel/clock.ts'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { databaseRoles, openOwnerPool, roleName } from '#kernel/db/pool.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets, parseSecrets, type Secrets } from '#kernel/secrets.ts'
import { type Application, createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import type { MenuSeed } from '../../seed/base/menu-seed.ts'
import { menuSeeds } from '../../seed/base/menus.ts'
import { type Former, fillFormer, readFormer } from '../support/former.ts'

const log = createLog('error')
const release = '0.1.0'
const database = `kaopu_upgrade_${process.pid}`

let former: Former
let admin: pg.Client
let owner: pg.Client
let app: Application
let secrets: Secrets
let dataDir: string
/** What the former release had, and what is left of it without the menus that it shall not have known. */
let whole: Access
let before: Access

type Row = Readonly<Record<string, unknown>>
const rowsOf = async (text: string): Promise<Row[]> => (await owner.query<Row>(text)).rows

/** Who may see what: menus where they stand, and what each role holds of them. */
interface Access {
  readonly menus: readonly Row[]
  readonly grants: readonly Row[]
}
const readAccess = async (): Promise<Access> => ({
  menus: await rowsOf(`
    select m.tenant_id, m.code, m.name, m.name_en, m.path, m.sort, m.category, m.is_system, p.code as parent
    from menu m left join menu p on p.tenant_id = m.tenant_id and p.id = m.parent_id where not m.is_deleted order by m.tenant_id, m.code`),
  grants: await rowsOf(`
    select r.tenant_id, r.role_alias as role, m.code from role_menu g
    join role r on r.tenant_id = g.tenant_id and r.id = g.role_id join menu m on m.tenant_id = g.tenant_id and m.id = g.menu_id order by 1, 2, 3`),
})

const isLater = ({ code }: Row): boolean => /^param(_|$)/.test(String(code))
/** A menu with its buttons and grants, as if it had come with a later release. */
const forgetMenus = async (): Promise<void> => {
  const menus = `select tenant_id, id from menu where code ~ '^param(_|$)'`
  await owner.query(`delete from role_menu where (tenant_id, menu_id) in (${menus})`)
  await owner.query(`delete from top_menu_menu where (tenant_id, menu_id) in (${menus})`)
  await owner.query(`delete from menu where (tenant_id, id) in (${menus})`)
  // A release with other menus has another digest of what it seeds.
  await owner.query('delete from seed_state')
}

beforeAll(async () => {
  former = await readFormer(release)
  dataDir = await mkdtemp(join(tmpdir(), 'kaopu-upgrade-'))
  admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(`create database ${database} encoding 'UTF8' template template0`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${database}`
  const pool = openOwnerPool(url.href, log)
  await migrate(pool, log, former.migrations.at(-1)?.name)
  await pool.end()
  owner = new pg.Client({ connectionString: url.href })
  await owner.connect()
  await fillFormer(owner, former)
  whole = await readAccess()
  await forgetMenus()
  await owner.query('set session_replication_role = origin')
  before = await readAccess()
  // Keys as the folder of the former release keeps them; the server of this run has its own passwords for the database.
  const { databasePasswords } = await loadSecrets({ dataDir: inject('dataDir') })
  secrets = parseSecrets('secrets.json', JSON.stringify({ ...former.secrets, databasePasswords }))
  app = await createApplication({
    config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, KAOPU_TEST_CAPTCHA: 'abcde', KAOPU_TEST_SMS: '123456' }),
    secrets,
    databaseUrl: url.href,
    log,
    clock: createManualClock(former.takenAt),
    withoutWorker: true,
  })
})
afterAll(async () => {
  await app.close()
  await owner.end()
  await admin.query(`drop database ${database}`)
  // They had been those of every database of this server, and became its own.
  for (const role of databaseRoles) await admin.query(`drop role ${roleName(database, role)}`)
  await admin.end()
  await rm(dataDir, { recursive: true })
})

const call = async (
  method: 'GET' | 'POST',
  path: string,
  { token, form, tenantId = '000000' }: { token?: string; form?: Readonly<Record<string, string>>; tenantId?: string } = {},
) => {
  const { statusCode, json } = await app.server.inject({
    method,
    url: `/api${path}`,
    headers: {
      authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
      'tenant-id': tenantId,
      'user-agent': 'kaopu-test',
      ...(token === undefined ? {} : { 'blade-auth': `bearer ${token}` }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
  })
  return { status: statusCode, body: json() }
}
/** @returns the access token */
const logIn = async ({ tenantId, account, password }: Former['accounts'][number]): Promise<string> => {
  const { body: captcha } = await call('GET', '/blade-auth/oauth/captcha', { tenantId })
  const { body } = await call('POST', '/blade-auth/oauth/token', {
    tenantId,
    form: {
      grant_type: 'captcha',
      username: account,
      password: sm2Encrypt(secrets.login.publicKey, password),
      key: captcha.key,
      code: 'abcde',
    },
  })
  return body.access_token
}
const accountNamed = (tenantId: string, account: string): Former['accounts'][number] => {
  const found = former.accounts.find(one => one.tenantId === tenantId && one.account === account)
  if (!found) throw new Error(`the fixture has no ${account} of ${tenantId}`)
  return found
}

interface Node {
  readonly code: string
  readonly children?: readonly Node[]
}
const codesOf = (nodes: readonly Node[]): string[] => nodes.flatMap(({ code, children = [] }) => [code, ...codesOf(children)])
const seededCodes = (seeds: readonly MenuSeed[]): string[] =>
  seeds.flatMap(({ code, buttons = [], children = [] }) => [
    code,
    ...buttons.map(([action]) => `${code}_${action}`),
    ...seededCodes(children),
  ])

test('upgrade › the migrations of the former release are as they were, and every later one has run', async () => {
  const applied = await rowsOf('select name, checksum from schema_migration order by name')

  expect(applied.slice(0, former.migrations.length)).toEqual(former.migrations)
  expect(applied.map(({ name }) => name)).toEqual(
    (await readdir(join(import.meta.dirname, '../../migrations'))).filter(name => name.endsWith('.sql')).sort(),
  )
})

test('upgrade › no table has lost a row', async () => {
  const lost: string[] = []
  for (const [table, rows] of Object.entries(former.tables)) {
    const [count] = await rowsOf(`select count(*)::int as n from "${table}"`)
    const was = (JSON.parse(rows) as unknown[]).length
    if (Number(count?.['n']) < was) lost.push(`${table}: ${was} → ${count?.['n']}`)
  }

  expect(lost).toEqual([])
})

test.each(['account', 'audit_log', 'exam_pay', 'examination', 'pay_ledger', 'pay_order', 'result', 'signup', 'stored_file', 'ticket'])(
  'upgrade › %s has the rows it had and no other',
  async table => {
    const ids = (rows: string) => rowsOf(`select r.id::text as id from (${rows}) r order by r.id`)

    expect(await ids(`select id from "${table}"`)).toEqual(
      (
        await owner.query(`select r.id::text as id from json_populate_recordset(null::"${table}", $1) r order by r.id`, [
          former.tables[table],
        ])
      ).rows,
    )
  },
)

test('upgrade › a menu stays where its administrator put it, under the name they gave it, and new ones come to it', async () => {
  const { menus } = await readAccess()
  const known = new Set(before.menus.map(menu => `${menu['tenant_id']} ${menu['code']}`))
  const isKnown = (menu: Row) => known.has(`${menu['tenant_id']} ${menu['code']}`)

  // Screens that moved since (migration 0690): their menus lead to the new place.
  const moved: Readonly<Record<string, string>> = {
    '/system/role': '/authority/role',
    '/system/dataScope': '/authority/datascope',
    '/system/apiScope': '/authority/apiscope',
  }
  expect(menus.filter(isKnown)).toEqual(before.menus.map(menu => ({ ...menu, path: moved[String(menu['path'])] ?? menu['path'] })))
  expect(menus.filter(isLater)).toEqual(whole.menus.filter(isLater))
  expect(menus.find(menu => menu['tenant_id'] === '000000' && menu['code'] === 'post')).toMatchObject({
    name: '职务',
    parent: 'exam',
    sort: 77,
  })
  expect(menus.find(menu => menu['code'] === 'guide')).toMatchObject({ name: '工作指南', is_system: false })
  const codes = menus.filter(menu => menu['tenant_id'] === '000000').map(menu => menu['code'])
  expect(seededCodes(menuSeeds).filter(code => !codes.includes(code))).toEqual([])
})

test('upgrade › roles hold what they held; what was taken from one does not come back, and only new menus are granted', async () => {
  const { grants } = await readAccess()
  const known = new Set(before.menus.map(menu => `${menu['tenant_id']} ${menu['code']}`))
  const isNew = (grant: Row) => !known.has(`${grant['tenant_id']} ${grant['code']}`)

  const nameOf = (grant: Row) => `${grant['tenant_id']} ${grant['role']} ${grant['code']}`
  const held = new Set(before.grants.map(nameOf))
  const kept = grants.filter(grant => !isNew(grant))
  expect(kept.filter(grant => held.has(nameOf(grant)))).toEqual(before.grants)
  // Site managers held the right to look at tickets and had no way there (migration 0851).
  expect(kept.filter(grant => !held.has(nameOf(grant))).map(nameOf)).toEqual(['000000 site ticket', '000001 site ticket'])
  expect(grants.filter(isLater)).toEqual(whole.grants.filter(isLater))
  const holds = (role: string, code: string) =>
    grants.some(grant => grant['tenant_id'] === '000000' && grant['role'] === role && grant['code'] === code)
  expect([
    holds('reviewer1', 'signup_export'),
    holds('finance', 'payalarm_view'),
    holds('site', 'dashboard_view'),
    holds('inspector', 'guide'),
  ]).toEqual([false, false, true, true])
})

test('upgrade › everybody logs in with the password they had', async () => {
  const loggedIn: string[] = []
  for (const one of former.accounts) if (await logIn(one)) loggedIn.push(`${one.tenantId} ${one.account}`)

  expect(loggedIn).toEqual(former.accounts.map(({ tenantId, account }) => `${tenantId} ${account}`))
})

test('upgrade › a member of staff meets the menus of their role, a candidate their own sealed data', async () => {
  const finance = await logIn(accountNamed('000000', 'finance1'))
  const buttons = codesOf((await call('GET', '/blade-system/menu/buttons', { token: finance })).body.data)
  expect([buttons.includes('exampay_view'), buttons.includes('payalarm_view')]).toEqual([true, false])

  const candidate = await logIn(accountNamed('000000', 'candidate1'))
  const { status, body } = await call('GET', '/blade-system/user/info', { token: candidate })
  const [row] = await rowsOf(`select real_name from account where tenant_id = '000000' and account = 'candidate1'`)
  expect([status, body.data.realName]).toEqual([200, row?.['real_name']])
})
