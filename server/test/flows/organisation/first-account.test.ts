import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { sql } from '#kernel/db/sql.ts'
import { oneTimePassword } from '#modules/auth/index.ts'
import { carryOut, wishOf } from '#server/admin.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const seal = async (plain: string): Promise<string> => {
  const { body } = await t.anonymous(tenant.tenantId).get('/blade-auth/oauth/public-key')
  return sm2Encrypt(body.data.publicKey, plain)
}
const logIn = async (username: string, password: string): Promise<Answer> => {
  const guest = t.anonymous(tenant.tenantId)
  const { body } = await guest.get('/blade-auth/oauth/captcha')
  return guest.post('/blade-auth/oauth/token', {
    form: { grant_type: 'password', username, password: await seal(password), key: body.key, code: testCaptcha },
  })
}
const as = (token: string) => ({
  get: (path: string) => t.anonymous(tenant.tenantId).get(path, { headers: { 'blade-auth': `bearer ${token}` } }),
  post: (path: string, json: object) => t.anonymous(tenant.tenantId).post(path, { json, headers: { 'blade-auth': `bearer ${token}` } }),
})
const make = async (args: readonly string[]) => (await carryOut(t.app.services, { ...wishOf(args), tenantId: tenant.tenantId })) ?? ''
const own = 'quiet-harbour-42'

describe('the first account of an installation', () => {
  test('[S1.03] a one-time password opens nothing but its own change; afterwards the administrator administers', async () => {
    const password = await make(['create', '--account', 'Chief', '--name', '林主任'])
    const logged = await logIn('chief', password)
    expect(logged.status).toBe(200)
    const me = as(logged.body.access_token)
    for (const path of [
      '/blade-system/param/list',
      '/blade-system/user/page',
      '/blade-exam/examination/page',
      '/blade-exam/exportjob/page',
      '/blade-system/menu/routes',
      '/blade-system/menu/buttons',
    ])
      expect((await me.get(path)).body).toMatchObject({
        code: 403,
        reason: 'kernel/password-due',
        msg: expect.stringContaining('一次性密码'),
      })
    // The login says so, and what is left open tells people only about themselves.
    expect(logged.body.password_due).toBe(true)
    for (const path of ['/blade-auth/oauth/user-info', '/blade-system/user/info']) expect((await me.get(path)).status).toBe(200)

    const change = async (oldPassword: string, next: string) =>
      me.post('/blade-system/user/update-password', {
        oldPassword: await seal(oldPassword),
        newPassword: await seal(next),
        newPassword1: await seal(next),
      })
    expect((await change(password, password)).status).toBe(400)
    expect((await me.get('/blade-system/param/list')).status).toBe(403)
    expect((await change(password, own)).body).toMatchObject({ code: 200 })
    expect((await me.get('/blade-system/param/list')).status).toBe(200)
    expect((await me.get('/blade-system/user/page')).body.data.total).toBe(1)
    expect((await logIn('chief', password)).status).toBe(400)
    expect((await logIn('chief', own)).body.password_due).toBe(false)
    expect(await tenant.rows(sql`select action, after_value as after from audit_log where entity = 'account' order by id`)).toEqual([
      { action: 'account.added', after: { account: 'Chief', roles: ['admin'], by: 'command line' } },
      { action: 'account.password-changed', after: null },
    ])
  })

  test('an account is made once; reset ends its sessions, opens its lock and asks for a new password again', async () => {
    await make(['create', '--account', 'second', '--role', 'exam_admin', '--role', 'finance'])
    await expect(make(['create', '--account', 'SECOND'])).rejects.toThrow('exists already')
    await tenant.rows(sql`update account set must_change_password = false, status = 4, fail_count = 5 where account = 'second'`)
    const renewed = await make(['reset', '--account', 'second'])
    const logged = await logIn('second', renewed)
    expect(logged.status).toBe(200)
    expect((await as(logged.body.access_token).get('/blade-exam/examination/page')).body.reason).toBe('kernel/password-due')
    await make(['reset', '--account', 'second'])
    t.clock.advance(5_000)
    expect((await as(logged.body.access_token).get('/blade-auth/oauth/user-info')).status).toBe(401)
    await expect(make(['reset', '--account', 'nobody'])).rejects.toThrow('no member of staff')
    const candidate = await tenant.candidate()
    const [row] = await tenant.rows(sql<{ account: string }>`select account from account where id = ${candidate.userId}`)
    await expect(make(['reset', '--account', row?.account ?? ''])).rejects.toThrow('no member of staff')
    await expect(carryOut(t.app.services, { ...wishOf(['create', '--account', 'third']), tenantId: 'nowhere' })).rejects.toThrow(
      'no tenant',
    )
  })

  test.each([
    [[]],
    [['create']],
    [['drop', '--account', 'a1']],
    [['create', '--account', 'a b']],
    [['create', '--account', 'ab', '--role', 'candidate']],
    [['create', '--account', 'ab', '--role', 'king']],
    [['create', '--account', 'ab', '--role', 'admin', '--role', 'auditor']],
    [['create', '--account', 'ab', '--colour', 'red']],
  ])('a command line that cannot be meant is refused with the usage: %j', args => {
    expect(() => wishOf(args)).toThrow(StartRefusal)
  })

  test('one-time passwords are long, readable and never the same', () => {
    const passwords = Array.from({ length: 200 }, oneTimePassword)
    expect(new Set(passwords).size).toBe(200)
    for (const password of passwords) expect(password).toMatch(/^([a-hj-km-np-z2-9]{5}-){3}[a-hj-km-np-z2-9]{5}$/)
  })
})

describe('commands of an operator', () => {
  // A data folder of their own: what is written there is of this installation and no other test's.
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaopu-operator-'))
    await copyFile(join(inject('dataDir'), 'secrets.json'), join(folder, 'secrets.json'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  // Seven processes would each strip the types of a thousand files.
  const compiled = fileURLToPath(new URL('../../../../node_modules/.cache/kaopu-code', import.meta.url))
  const run = async (script: string, args: readonly string[] = []): Promise<{ code: number; out: string; err: string }> => {
    const path = fileURLToPath(new URL(`../../../src/${script}`, import.meta.url))
    const env = {
      PATH: process.env['PATH'],
      KAOPU_PROFILE: 'test',
      KAOPU_DATA: folder,
      DATABASE_URL: t.databaseUrl,
      KAOPU_LOG_LEVEL: 'silent',
      NODE_COMPILE_CACHE: compiled,
    }
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [path, ...args], { env })
      return { code: 0, out: stdout, err: stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, out: stdout, err: stderr }
    }
  }

  test('npm run admin -- create prints the password once, and says in a sentence why it did nothing', async () => {
    const made = await run('admin.ts', ['create', '--account', 'operator1', '--tenant', tenant.tenantId])
    expect(made).toMatchObject({ code: 0, err: '' })
    const [, password = ''] = /One-time password: (\S+)/.exec(made.out) ?? []
    expect((await logIn('operator1', password)).status).toBe(200)
    const again = await run('admin.ts', ['create', '--account', 'operator1', '--tenant', tenant.tenantId])
    expect([again.code, again.out, again.err]).toEqual([
      1,
      '',
      'The account operator1 exists already; "reset" gives it a new one-time password.\n',
    ])
    expect((await run('admin.ts')).err).toContain('npm run admin -- create')
  })

  test('npm run audit:verify ends with 0 on a sound chain and with 1 on a changed line, which it names', async () => {
    const { createSealer } = await import('#kernel/audit-chain/seal.ts')
    const { secrets, pools, clock, log } = t.app.services
    const sealer = createSealer({ pool: pools.kaopu_platform, key: secrets.auditKey, clock, log, heads: null, isTicking: false })
    await sealer.sealNow()
    await sealer.stop()
    const anchors = join(folder, 'audit-anchor.json')
    for (const [text, what] of [
      ['[{"tenant":"000000","se', 'it is no JSON'],
      ['', 'it is empty'],
      ['[{"tenant":"000000"}]', 'it holds something else than heads'],
    ] as const) {
      await writeFile(anchors, text)
      const unreadable = await run('audit-verify.ts')
      expect([unreadable.code, unreadable.out]).toEqual([1, ''])
      expect(unreadable.err).toMatch(
        new RegExp(
          `^The heads of the audit chain in ${anchors} cannot be read: ${what}\\. Put back your copy of that file.*move it away.*\n$`,
        ),
      )
      expect(await readFile(anchors, 'utf8')).toBe(text)
    }
    await rm(anchors)
    const sound = await run('audit-verify.ts')
    expect(sound).toMatchObject({ code: 0, err: '' })
    expect(sound.out).toMatch(/\d+ audit lines verified, 0 wait for their seal\./)
    const pg = await import('pg')
    const owner = new pg.default.Client({ connectionString: t.databaseUrl })
    await owner.connect()
    await owner.query('set session_replication_role = replica')
    await owner.query('update audit_log set action = action || $1 where tenant_id = $2', ['!', tenant.tenantId])
    await owner.end()
    const broken = await run('audit-verify.ts')
    expect(broken.code).toBe(1)
    expect(broken.out).toContain(`${tenant.tenantId}  seal 1, line `)
    expect(broken.out).toContain('the line was changed after it was sealed')
  })
})
