import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { checkServer } from '#kernel/db/embedded-probe.ts'
import { sql } from '#kernel/db/sql.ts'
import { findFreePort } from '#kernel/free-port.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { type CallOptions, startTestApp } from '../support/app.ts'
import { needProgram } from '../support/debian.ts'
import { buildExam } from '../support/factories.ts'
import { logInByPassword, staffWithPassword } from '../support/login.ts'
import { answersOf, submit, uploadAll } from '../support/signing.ts'

/** pgbouncer before the database of the tests; it does not run as root. @returns the address that leads through it */
const bouncer = async (mode: string, more = ''): Promise<string> => {
  needProgram('pgbouncer', 'pgbouncer')
  const target = new URL(inject('adminUrl'))
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-bouncer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = (await findFreePort(16_432)) ?? 0
  const password = decodeURIComponent(target.password)
  const host = target.searchParams.get('host') ?? target.hostname
  const roles = Object.entries((await loadSecrets({ dataDir: inject('dataDir') })).databasePasswords)
  const users = [[decodeURIComponent(target.username), password], ...roles].map(([name, word]) => `"${name}" "${word}"\n`).join('')
  await writeFile(join(folder, 'users'), users)
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${host} port=${target.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = plain\nauth_file = ${folder}/users\npool_mode = ${mode}\ndefault_pool_size = 40\nmax_client_conn = 400\n${more}logfile = ${folder}/log\n`,
  )
  const isRoot = process.getuid?.() === 0
  const nobody = 65_534
  if (isRoot) for (const path of [folder, join(folder, 'users'), join(folder, 'pgbouncer.ini')]) await chown(path, nobody, nobody)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...(isRoot ? { uid: nobody, gid: nobody } : {}) })
  const end = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGINT')
    await end
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.searchParams.delete('host')
  await vi.waitUntil(
    async () => {
      const client = new pg.Client({ connectionString: url.href })
      try {
        await client.connect()
        await client.end()
        return true
      } catch {
        return false
      }
    },
    { timeout: 20_000 },
  )
  return url.href
}

// Tests' own servers may forget what they acknowledged, which is refused after the pooler.
const other = 'could lose acknowledged data'

test.each(['transaction', 'statement'])('pgbouncer with pool_mode = %s is refused at the start, with the way out', async mode => {
  await expect(checkServer(await bouncer(mode))).rejects.toThrow(
    /^DATABASE_URL leads to a pooler that gives a connection a server for one transaction at a time, .* or set pool_mode = session for this database\.$/,
  )
})

test.each([
  ['with pool_mode = session', () => bouncer('session')],
  ['itself', async () => inject('adminUrl')],
])('the database %s is not taken for such a pooler', async (_, url) => {
  const said = await checkServer(await url()).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(said === '' || said.includes(other) ? 'no pooler' : said).toBe('no pooler')
})

test('behind pool_mode = session people log in, read lists and hand in a form, as without it', async () => {
  const t = await startTestApp()
  onTestFinished(t.close)
  const tenant = await t.tenant()
  const way = new URL(await bouncer('session'))
  way.pathname = new URL(t.databaseUrl).pathname
  const far = await startTestApp({ databaseUrl: way.href, withWorker: true })
  onTestFinished(far.close)
  const { account } = await staffWithPassword(t, tenant, 'admin')
  const login = await logInByPassword(far, tenant.tenantId, account)
  expect([login.status, login.body.account]).toEqual([200, account])
  const headers = { 'blade-auth': `bearer ${login.body.access_token}` }
  const list = await far.anonymous(tenant.tenantId).get('/blade-system/param/list', { headers })
  expect([list.status, list.body.data.total > 0]).toEqual([200, true])

  const { examId } = await buildExam(tenant)
  const candidate = await tenant.candidate({ realName: '金丝雀', idCard: '330106199806301023', phone: '16000000001' })
  const there = far.anonymous(tenant.tenantId)
  const person = {
    ...candidate,
    get: (path: string, options: CallOptions = {}) =>
      there.get(path, { ...options, headers: { ...options.headers, 'blade-auth': `bearer ${candidate.token}` } }),
    post: (path: string, options: CallOptions = {}) =>
      there.post(path, { ...options, headers: { ...options.headers, 'blade-auth': `bearer ${candidate.token}` } }),
  }
  const content = answersOf('330106199806301023', '16000000001', { name: '金丝雀' })
  const sent = await submit(person, examId, { content, fileIds: await uploadAll(person) })
  expect([sent.status, sent.body.msg]).toEqual([200, expect.anything()])
  expect(await tenant.rows(sql`select examine from signup`)).toEqual([{ examine: 'waiting' }])
  // What each connection of the program asks for holds behind the pooler too: no statement without end, and times as they are written.
  const settings = await far.app.services.pools.kaopu_staff.query(
    `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('TimeZone') as zone`,
  )
  expect(settings.rows).toEqual([{ statement: '15s', lock: '5s', zone: 'UTC' }])
})
