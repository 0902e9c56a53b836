import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureOf } from '#kernel/audit-chain/line.ts'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { systemClock } from '#kernel/clock.ts'
import { createFieldCipher, fieldKeyTag } from '#kernel/crypto/field.ts'
import { pepperId } from '#kernel/crypto/password.ts'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { type EmbeddedDatabase, startEmbedded } from '#kernel/db/embedded.ts'
import { ensureDatabase } from '#kernel/db/embedded-probe.ts'
import { urlFor } from '#kernel/db/pool.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { createLinkSigner } from '#kernel/files/signed-link.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets, type Secrets } from '#kernel/secrets.ts'
import { type Application, createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { indexColumns } from '#server/rotate-index.ts'
import { sealedColumns } from '#server/sealed-columns.ts'
import { secretsCommand } from '#server/secrets-admin.ts'
import { copyKept } from '../support/kept-cluster.ts'
import { operateCommand } from '../support/operate-docs.ts'

// A demo installation of its own with the program running, as the roles of the database are shared by all databases of a server.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const log = createLog('silent')
const captcha = 'abcde'
const isLong = process.env['KAOPU_LONG'] !== undefined
let dataDir: string
let embedded: EmbeddedDatabase
let databaseUrl: string
let app: Application
let owner: pg.Client
let env: Readonly<Record<string, string>>

const start = async (): Promise<Application> =>
  createApplication({
    config: loadConfig({ ...env, KAOPU_PUBLIC_URL: 'http://localhost:7300' }),
    secrets: await loadSecrets({ dataDir }),
    databaseUrl,
    log,
    withoutWorker: true,
    fillsDemo: true,
  })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kaopu-rotate-'))
  await chmod(dataDir, 0o755)
  await copyKept(dataDir, 'seeded')
  await loadSecrets({ dataDir, mayMake: 'in a used folder' })
  env = { KAOPU_PROFILE: 'demo', KAOPU_DATA: dataDir, KAOPU_TEST_CAPTCHA: captcha, KAOPU_LOG_LEVEL: 'error' }
  embedded = await startEmbedded({ dataDir, log })
  databaseUrl = await ensureDatabase(embedded.url, 'kaopu')
  app = await start()
  owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await app.close()
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The same commands within this process, which saves the start of one for each. */
const runHere = async (commands: string): Promise<{ readonly code: number; readonly said: string }> => {
  const said: string[] = []
  try {
    for (const line of commands.split('\n').filter(one => one !== '')) {
      const [, args] = /^npm run secrets -- (.+)$/.exec(line) ?? []
      if (args === undefined) throw new Error(`not a command on secrets: ${line}`)
      await secretsCommand(args.split(' '), text => said.push(text), env)
    }
    return { code: 0, said: said.join('\n') }
  } catch (error) {
    return { code: 1, said: [...said, (error as Error).message].join('\n') }
  }
}
/** Runs commands of the paper, in `npm run test:long` by a shell. @returns exit code and what was said */
const run = async (commands: string): Promise<{ readonly code: number | null; readonly said: string }> => {
  if (!process.env['KAOPU_LONG']) return runHere(commands)
  const child = spawn('bash', ['-e', '-c', commands], { cwd: root, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } })
  const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { code: code as number | null, said: out + err }
}
const ok = async (commands: string): Promise<string> => {
  const { code, said } = await run(commands)
  expect(`${code}\n${said}`).toMatch(/^0\n/)
  return said
}
const secretsNow = (): Promise<Secrets> => loadSecrets({ dataDir })
/** A command of the paper as a process of its own, which can be killed. */
const command = (id: string, dir = dataDir): ChildProcess => {
  const [, args = ''] = /^npm run secrets -- (.+)$/m.exec(operateCommand(id)) ?? []
  return spawn(process.execPath, [join(root, 'server/src/secrets-admin.ts'), ...args.split(' ')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env, KAOPU_DATA: dir, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
const rows = async <T extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []): Promise<T[]> =>
  (await owner.query<T>(statement, [...values])).rows

interface Value {
  readonly tenant: string
  readonly id: string
  readonly sealed: Buffer
}
const phones = async (): Promise<readonly Value[]> =>
  rows<Value>(
    `select tenant_id as tenant, id::text as id, phone_sealed as sealed from account where phone_sealed is not null order by 1, 2`,
  )
const opened = (cipher: Pick<Application['services']['cipher'], 'open'>, values: readonly Value[]): readonly string[] =>
  values.map(({ tenant, id, sealed }) => cipher.open(tenant, { table: 'account', column: 'phone_sealed', rowId: id }, sealed))

/** Every value of the database that is sealed, wherever it stands: the mark of its root key → the places. */
const marks = async (): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
  const columns = await rows<{ table: string; column: string; type: string }>(`
    select c.table_name as table, c.column_name as column, c.udt_name as type from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('bytea', 'jsonb') and c.is_generated = 'NEVER' and table_name <> 'idempotency'`)
  const found = new Map<number, Set<string>>()
  const note = (tag: number | undefined, place: string): void => {
    if (tag !== undefined) found.set(tag, (found.get(tag) ?? new Set<string>()).add(place))
  }
  for (const { table, column, type } of columns) {
    const place = `${table}.${column}`
    if (type === 'bytea') {
      if (column.endsWith('_sealed'))
        for (const { tag } of await rows<{ tag: number }>(
          `select distinct get_byte(${column}, 1) as tag from ${table} where ${column} is not null`,
        ))
          note(tag, place)
    } else
      for (const { e } of await rows<{ e: string }>(
        `select distinct m[1] as e from ${table}, regexp_matches(${column}::text, '"e": ?"(A[Q-Za-f][A-Za-z0-9+/=]{20,})"', 'g') m`,
      ))
        note(Buffer.from(e, 'base64')[1], place)
  }
  return found
}

const demoAccount = async (): Promise<{ readonly tenantId: string; readonly account: string; readonly password: string }> => {
  const accounts = JSON.parse(await readFile(join(dataDir, 'demo-accounts.json'), 'utf8'))
  return accounts.find((one: { role: string }) => one.role === 'candidate') ?? accounts[0]
}
const logIn = async (publicKey?: string): Promise<number> => {
  const { tenantId, account, password } = await demoAccount()
  const headers = { authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`, 'tenant-id': tenantId }
  const call = async (method: 'GET' | 'POST', url: string, payload?: string) =>
    app.server.inject({
      method,
      url: `/api/blade-auth/oauth/${url}`,
      headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(payload === undefined ? {} : { payload }),
    })
  const key = publicKey ?? (await call('GET', 'public-key')).json().data.publicKey
  const form = new URLSearchParams({
    grant_type: 'captcha',
    username: account,
    password: sm2Encrypt(key, password),
    key: (await call('GET', 'captcha')).json().key,
    code: captcha,
  })
  return (await call('POST', 'token', form.toString())).statusCode
}

describe('the paper on secrets, on a demo installation with the program running', () => {
  test('every sealed column and every column of look-up keys is known to the commands', async () => {
    const named = async (pattern: string) =>
      (
        await rows<{ name: string }>(
          `select c.table_name || '.' || c.column_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
           where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and ${pattern} order by 1`,
        )
      ).map(row => row.name)
    expect(
      sealedColumns
        .filter(one => one.answersOf === undefined)
        .map(one => `${one.table}.${one.column}`)
        .toSorted(),
    ).toEqual(await named(`c.column_name like '%\\_sealed' and c.udt_name = 'bytea'`))
    expect(indexColumns.map(one => `${one.table}.${one.index}`).toSorted()).toEqual(
      await named(`c.column_name in ('phone_index', 'id_card_index')`),
    )
  })

  test('the root key is replaced: nothing is sealed with the former one any more, and everything opens without it', async () => {
    const before = app.keys.secrets.fieldRootKey
    const [values, plain] = [await phones(), opened(app.services.cipher, await phones())]
    expect(values.length).toBeGreaterThan(20)
    const places = [...((await marks()).get(fieldKeyTag(before)) ?? [])]
    expect(places).toEqual(expect.arrayContaining(['account.phone_sealed', 'signup.phone_sealed', 'sms_message.phone_sealed']))
    const files = await rows<{ key: string }>(`select storage_key as key from stored_file where storage_key !~ '^[0-9]+:'`)
    expect(files.length).toBeGreaterThan(3)

    const said = await ok(operateCommand('rotate-field-root-key'))

    expect(said).toMatch(/[1-9]\d* values and [1-9]\d* files sealed anew/)
    // The running program took the key by itself.
    expect(app.keys.secrets.fieldRootKey.equals(before)).toBe(false)
    const after = await marks()
    expect([...after.keys()]).toEqual([fieldKeyTag(app.keys.secrets.fieldRootKey)])
    expect([...(after.get(fieldKeyTag(app.keys.secrets.fieldRootKey)) ?? [])].toSorted()).toEqual(places.toSorted())
    const alone = createFieldCipher({ rootKey: app.keys.secrets.fieldRootKey, indexKey: app.keys.secrets.blindIndexKey })
    expect(opened(alone, await phones())).toEqual(plain)
    // What was read before the change opens too.
    expect(opened(app.services.cipher, values)).toEqual(plain)
    const disk = await createDiskStore({ folder: join(dataDir, 'files'), rootKey: app.keys.secrets.fieldRootKey })
    for (const { key } of files) for await (const _ of await disk.open(key)) break
    expect(await ok(operateCommand('reseal'))).toContain('0 values and 0 files sealed anew.')
  })

  test('the others are replaced: what the former keys made is good, and new things are made with the new ones', async () => {
    const before: Secrets = { ...app.keys.secrets }
    const seal = async (): Promise<void> => {
      const { pools, keys } = app.services
      const sealer = createSealer({
        pool: pools.kaopu_platform,
        key: keys.auditKey,
        clock: systemClock,
        log,
        heads: null,
        isTicking: false,
      })
      await sealer.sealNow().finally(() => sealer.stop())
    }
    expect(await logIn()).toBe(200)
    await seal()
    const subject = { tenantId: '000000', userId: '1', fileId: '2' }
    const link = createLinkSigner(before.tokenKey).sign(subject, new Date(Date.now() + 3_600_000))

    await ok(operateCommand('rotate-online'))

    const now = app.keys.secrets
    for (const name of ['tokenKey', 'passwordPepper', 'auditKey', 'ticketDrawKey'] as const) {
      expect([name, now[name].equals(before[name]), now.former[name].map(one => one.key.equals(before[name]))]).toEqual([
        name,
        false,
        [true],
      ])
    }
    expect(createLinkSigner(app.services.keys.tokenKey).verify(subject, link, new Date())).toBe('valid')
    // Sealed for the former log-in key, with a password of the former pepper: in, and the hash is made anew.
    expect(now.login.publicKey).not.toBe(before.login.publicKey)
    expect(await logIn(before.login.publicKey)).toBe(200)
    const { tenantId, account } = await demoAccount()
    const [{ hash } = { hash: '' }] = await rows<{ hash: string }>(
      'select password_hash as hash from account where tenant_id = $1 and account = $2',
      [tenantId, account],
    )
    expect(hash).toContain(`,keyid=${pepperId(now.passwordPepper)}$`)
    expect(await logIn()).toBe(200)
    const enter = async (password: string): Promise<string> => {
      const client = new pg.Client({ connectionString: urlFor(databaseUrl, 'kaopu_staff', password) })
      try {
        await client.connect()
        return 'in'
      } catch (error) {
        return String((error as { code?: string }).code)
      } finally {
        await client.end()
      }
    }
    expect([await enter(before.databasePasswords.kaopu_staff), await enter(now.databasePasswords.kaopu_staff)]).toEqual(['28P01', 'in'])

    await seal()
    const client = await app.services.pools.kaopu_platform.connect()
    try {
      const verify = async (key: Parameters<typeof verifyAudit>[1]) =>
        [...new Set((await verifyAudit(client, key, new Date())).findings.map(one => one.problem))].toSorted()
      expect(await verify(app.services.keys.auditKey)).toEqual([])
      const trail = await rows<{ secret: string }>(
        `select after_value->>'secret' as secret from audit_log where action = 'installation.key-rotated' order by id`,
      )
      expect(trail.map(row => row.secret)).toEqual([
        'fieldRootKey',
        'tokenKey',
        'passwordPepper',
        'auditKey',
        'ticketDrawKey',
        'login',
        'databasePasswords',
      ])
      // Who has the former key adds a line that it signs: the hand-over came before.
      const [{ tenant, chain } = { tenant: '', chain: '' }] = await rows<{ tenant: string; chain: string }>(
        `select tenant_id as tenant, chain_hash as chain from audit_seal where tenant_id = '000000' order by seq desc limit 1`,
      )
      expect(signatureOf(before.auditKey, tenant, chain)).not.toBe(signatureOf(now.auditKey, tenant, chain))
      await owner.query('alter table audit_seal disable trigger audit_seal_lock')
      await owner.query(`update audit_seal set signature = $1 where tenant_id = $2 and chain_hash = $3`, [
        signatureOf(before.auditKey, tenant, chain),
        tenant,
        chain,
      ])
      expect(await verify(app.services.keys.auditKey)).toEqual(['sealForged'])
      await owner.query(`update audit_seal set signature = $1 where tenant_id = $2 and chain_hash = $3`, [
        signatureOf(now.auditKey, tenant, chain),
        tenant,
        chain,
      ])
      await owner.query('alter table audit_seal enable trigger audit_seal_lock')
      // Without the former key its lines are not proven, nor is the hand-over.
      expect(await verify(now.auditKey)).toEqual(['handOverForged', 'sealForged'])
    } finally {
      client.release()
    }
    expect(await ok(operateCommand('secrets-status'))).toMatch(/tokenKey {2}[0-9a-f]{8}, replaced 20\d\d-/)
    await ok(operateCommand('forget'))
    expect((await loadSecrets({ dataDir })).former.tokenKey).toEqual([])
  })

  test('sealing anew is stopped by Ctrl-C and by kill -9, and goes on from there', async () => {
    const places = async () => [...(await marks()).keys()]
    const [, before] = [await places(), app.keys.secrets.fieldRootKey]
    for (const signal of isLong ? (['SIGINT', 'SIGKILL'] as const) : (['SIGINT'] as const)) {
      const table = new pg.Client({ connectionString: databaseUrl })
      await table.connect()
      // Accounts come before them, other tables after.
      await table.query('begin; lock table signup in share mode')
      const child = command(signal === 'SIGINT' ? 'rotate-field-root-key' : 'reseal')
      const err = text(child.stderr as Readable)
      child.stdout?.resume()
      await expect
        .poll(async () => (await rows(`select from pg_locks where relation = 'signup'::regclass and not granted`)).length, {
          timeout: 60_000,
        })
        .toBe(1)
      const gone = once(child, 'exit')
      child.kill(signal)
      if (signal === 'SIGKILL') await gone
      await table.query('rollback')
      await table.end()
      expect((await gone)[0]).toBe(signal === 'SIGINT' ? 1 : null)
      if (signal === 'SIGINT') expect(await err).toContain('Stopped. What was done stays; the same command goes on.')
      // Some are sealed with the one, some with the other, and the program reads both.
      expect((await places()).toSorted()).toEqual([fieldKeyTag(before), fieldKeyTag(app.keys.secrets.fieldRootKey)].toSorted())
      expect(opened(app.services.cipher, await phones()).every(one => /^1\d{10}$/.test(one))).toBe(true)
    }

    expect(await ok(operateCommand('reseal'))).toMatch(/[1-9]\d* values and [1-9]\d* files sealed anew/)

    expect(await places()).toEqual([fieldKeyTag(app.keys.secrets.fieldRootKey)])
    expect(await ok(operateCommand('reseal'))).toContain('0 values and 0 files sealed anew.')
  })

  test('an instance with a copy of the file gets each key by copying it twice; its old copy is refused at its start; new passwords need no restart', async () => {
    const path = join(dataDir, 'secrets.json')
    const copy = join(dataDir, 'copy-secrets.json')
    const copyFile = () => cp(path, copy)
    await copyFile()
    const startCopy = async () =>
      createApplication({
        config: loadConfig({ ...env, KAOPU_SECRETS_FILE: copy, KAOPU_PUBLIC_URL: 'http://localhost:7300', PORT: '7311' }),
        secrets: await loadSecrets({ dataDir, file: copy }),
        databaseUrl,
        log,
        withoutWorker: true,
      })
    const rotate = async (name: string): Promise<string> =>
      secretsCommand(['rotate', name], () => {}, env, 300).then(
        () => 'done',
        (error: Error) => error.message,
      )
    let second = await startCopy()
    try {
      const logged = async () =>
        (await rows<{ n: number }>(`select count(*)::int as n from audit_log where action = 'installation.key-rotated'`))[0]?.n ?? 0
      for (const name of isLong ? (['auditKey', 'login'] as const) : (['auditKey'] as const)) {
        const before = await logged()
        const print = (of: Secrets) => (name === 'login' ? of.login.privateKey : of.auditKey.toString('hex'))
        const first = print(app.keys.secrets)
        expect(await rotate(name)).toContain(
          `does not have the next ${name === 'login' ? 'log-in key' : name} yet. Copy ${path}, as it is now,`,
        )
        expect([print(app.keys.secrets), print(second.keys.secrets)]).toEqual([first, first])
        await copyFile()
        expect(await rotate(name)).toContain(
          `does not have the new ${name === 'login' ? 'log-in key' : name} yet. Copy ${path}, as it is now,`,
        )
        const next = print(await secretsNow())
        expect(next).not.toBe(first)
        await copyFile()

        expect(await rotate(name)).toBe('done')

        expect([print(await secretsNow()), print(app.keys.secrets), print(second.keys.secrets)]).toEqual([next, next, next])
        expect(await logged()).toBe(before + 1)
      }
      const client = await app.services.pools.kaopu_platform.connect()
      const { findings } = await verifyAudit(client, app.services.keys.auditKey, new Date()).finally(() => client.release())
      // Nobody seals here, so on a busy machine a line may wait too long.
      expect(findings.map(({ problem }) => problem).filter(problem => problem !== 'unsealed')).toEqual([])

      const old = await readFile(copy)
      expect(await rotate('databasePasswords')).toBe('done')
      const ask = (of: Application) =>
        of.services.pools.kaopu_candidate.query('select 1 as one').then(
          ({ rows: [row] }) => row,
          (error: { code?: string }) => error.code,
        )
      const cut = () => rows(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kaopu_candidate'`)
      await cut()
      expect([await ask(app), await ask(second)]).toEqual([{ one: 1 }, '28P01'])
      await copyFile()
      // Nothing told it to read its file again.
      expect(await ask(second)).toEqual({ one: 1 })

      await second.close()
      await writeFile(copy, old)
      await expect(startCopy()).rejects.toThrow(`The secrets file ${copy} is an older copy: databasePasswords was replaced on`)
      await copyFile()
      second = await startCopy()
    } finally {
      await second.close().catch(() => {})
      await rm(copy)
    }
  })

  test('the key of look-ups is replaced while the program stands still: everybody is found as before', async () => {
    const refused = await run(operateCommand('rotate-index'))
    expect([refused.code, refused.said]).toEqual([
      1,
      expect.stringContaining('Look-up keys are replaced while it stands still: stop every instance'),
    ])
    const people = await rows<{ tenant: string; id: string; phone: string | null; card: string | null }>(
      'select tenant_id as tenant, id::text as id, phone_index as phone, id_card_index as card from account where phone_index is not null order by 1, 2',
    )
    await app.close()

    await ok(operateCommand('rotate-index'))

    app = await start()
    const values = await phones()
    const after = await rows<{ tenant: string; id: string; phone: string; card: string | null }>(
      'select tenant_id as tenant, id::text as id, phone_index as phone, id_card_index as card from account where phone_index is not null order by 1, 2',
    )
    expect(after.map(({ tenant, id }) => ({ tenant, id }))).toEqual(people.map(({ tenant, id }) => ({ tenant, id })))
    expect(after.filter((one, i) => one.phone === people[i]?.phone || (one.card !== null && one.card === people[i]?.card))).toEqual([])
    const plain = new Map(values.map((one, i) => [`${one.tenant} ${one.id}`, opened(app.services.cipher, values)[i] ?? '']))
    expect(
      after.filter(one => app.services.cipher.blindIndex(one.tenant, 'phone', plain.get(`${one.tenant} ${one.id}`) ?? '') !== one.phone),
    ).toEqual([])
    // A sign-up has the look-up key of its person.
    const [{ apart } = { apart: -1 }] = await rows<{ apart: number }>(
      `select count(*)::int as apart from signup s join account a on a.tenant_id = s.tenant_id and a.id = s.user_id where s.id_card_index <> a.id_card_index`,
    )
    expect(apart).toBe(0)
    expect(await logIn()).toBe(200)
  })

  /** Holds a commit that changes the key of look-ups until `letGo`; `waiting` resolves when one waits. */
  const heldCommit = async () => {
    await owner.query(`
      create function public.test_hold_commit() returns trigger language plpgsql set lock_timeout = 0 as $$ begin perform pg_advisory_xact_lock(77001); return null; end $$;
      create constraint trigger test_hold_commit after insert on public.installation_mark deferrable initially deferred for each row
        when (new.name = 'blindIndexKey') execute function public.test_hold_commit()`)
    await owner.query('select pg_advisory_lock(77001)')
    const held = `from pg_locks where locktype = 'advisory' and objid = 77001 and not granted`
    return {
      waiting: () => expect.poll(async () => (await rows(`select 1 ${held}`)).length, { timeout: 60_000 }).toBe(1),
      /** Its connection breaks before the commit. */
      undo: () => rows(`select pg_terminate_backend(pid) ${held}`),
      letGo: async () => {
        await owner.query('select pg_advisory_unlock(77001)')
        await expect.poll(async () => (await rows(`select 1 from pg_locks where locktype = 'advisory' and objid = 77001`)).length).toBe(0)
        await owner.query('drop function public.test_hold_commit cascade')
      },
    }
  }
  const killed = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  /** Whether everybody's stored look-up keys are what the running program looks for. */
  const areFound = async (): Promise<boolean> => {
    const values = await phones()
    const plain = opened(app.services.cipher, values)
    const stored = await rows<{ index: string }>(
      'select phone_index as index from account where phone_sealed is not null order by tenant_id, id::text',
    )
    return (
      stored.length > 20 &&
      stored.every((one, i) => one.index === app.services.cipher.blindIndex(values[i]?.tenant ?? '', 'phone', plain[i] ?? ''))
    )
  }

  test('the machine stops before the database has the new look-up keys: everybody is found, the start says that a change is open, the same command ends it', async () => {
    await app.close()
    const before = await secretsNow()
    const commit = await heldCommit()
    const child = command('rotate-index')
    await commit.waiting()
    await commit.undo()
    await killed(child)
    await commit.letGo()

    const between = await secretsNow()
    expect(between.blindIndexKey.equals(before.blindIndexKey)).toBe(true)
    const said: unknown[] = []
    app = await createApplication({
      config: loadConfig({ ...env, KAOPU_PUBLIC_URL: 'http://localhost:7300' }),
      secrets: between,
      databaseUrl,
      log: { ...log, warn: (...words: unknown[]) => void said.push(...words) } as typeof log,
    })
    expect(await areFound()).toBe(true)
    expect(await logIn()).toBe(200)
    expect(said).toContainEqual({ secrets: ['blindIndexKey'] })
    await app.close()
    expect(await ok(operateCommand('secrets-status'))).toMatch(/blindIndexKey .*, a change is going on/)

    await ok(operateCommand('rotate-index'))

    const after = await secretsNow()
    expect(after.blindIndexKey.equals(between.coming.blindIndexKey ?? Buffer.alloc(0))).toBe(true)
    expect([after.coming, after.former.blindIndexKey[0]?.key.equals(before.blindIndexKey)]).toEqual([{}, true])
    app = await start()
    expect(await areFound()).toBe(true)
  })

  test('the machine stops when the database has the new look-up keys and the file says the former one: the start, or the command, finishes it', async () => {
    for (const end of isLong ? (['start', 'command'] as const) : (['start'] as const)) {
      await app.close()
      const before = await secretsNow()
      const commit = await heldCommit()
      const child = command('rotate-index')
      await commit.waiting()
      await killed(child)
      await commit.letGo()
      const between = await secretsNow()
      expect(between.blindIndexKey.equals(before.blindIndexKey)).toBe(true)

      if (end === 'command') expect(await ok(operateCommand('rotate-index'))).toMatch(/the change that was broken off is finished/)
      app = await start()

      const after = await secretsNow()
      expect(after.blindIndexKey.equals(between.coming.blindIndexKey ?? Buffer.alloc(0))).toBe(true)
      expect([after.coming, after.former.blindIndexKey[0]?.key.equals(before.blindIndexKey)]).toEqual([{}, true])
      expect(await areFound()).toBe(true)
      expect(await logIn()).toBe(200)
    }
  })

  test('an instance that starts while look-up keys are made anew does not go on with the former key', async () => {
    await app.close()
    const command = new pg.Client({ connectionString: databaseUrl })
    await command.connect()
    const mark = `update installation_mark set value = $1 where kind = 'secret' and name = 'blindIndexKey' and until is null`
    const [{ value } = { value: '' }] = await rows<{ value: string }>(
      `select value from installation_mark where name = 'blindIndexKey' and until is null`,
    )
    await command.query('begin')
    await command.query('lock table key_holder in share row exclusive mode')
    await command.query(mark, ['f'.repeat(32)])
    const starting = start().then(
      () => 'started',
      (error: Error) => error.message,
    )
    await expect
      .poll(async () => (await rows(`select from pg_locks where relation = 'key_holder'::regclass and not granted`)).length, {
        timeout: 60_000,
      })
      .toBe(1)
    await command.query('commit')
    expect(await starting).toBe('The key of look-ups was replaced while this instance was starting. Start it again.')
    await command.query(mark, [value])
    await command.end()
    app = await start()
  })

  test('Ctrl-C while look-up keys are made anew changes nothing; a database of before the change is refused by the start and made anew by the command', async () => {
    await app.close()
    const before = await secretsNow()
    const table = new pg.Client({ connectionString: databaseUrl })
    await table.connect()
    await table.query('begin; lock table sms_message in access exclusive mode')
    const child = command('rotate-index')
    const waits = `from pg_locks where relation = 'sms_message'::regclass and not granted`
    await expect.poll(async () => (await rows(`select 1 ${waits}`)).length, { timeout: 60_000 }).toBe(1)
    const [out, err] = [text(child.stdout as Readable), text(child.stderr as Readable)]
    const gone = once(child, 'exit')
    child.kill('SIGINT')
    await table.query('rollback')
    await table.end()
    expect([(await gone)[0], await err]).toEqual([1, expect.stringContaining('Stopped. Nothing was changed')])
    expect(await out).toContain('the next key')
    expect(await secretsNow()).toEqual(before)

    // As a database that was put back to before the last change, with the file of today.
    const former = before.former.blindIndexKey[0]?.key ?? Buffer.alloc(0)
    const path = join(dataDir, 'secrets.json')
    const stored = JSON.parse(await readFile(path, 'utf8'))
    const drawn = Buffer.from(former).reverse()
    await writeFile(
      path,
      JSON.stringify({
        ...stored,
        blindIndexKey: drawn.toString('base64url'),
        former: { ...stored.former, blindIndexKey: [{ key: stored.blindIndexKey, until: new Date().toISOString() }] },
      }),
    )
    await expect(start()).rejects.toThrow('were made with a former blindIndexKey')
    await ok(operateCommand('rotate-index'))
    app = await start()
    expect(await areFound()).toBe(true)
    expect(await logIn()).toBe(200)
  })

  test('what is lost for good is accepted on purpose, and the trail says so', async () => {
    await app.close()
    await rm(join(dataDir, 'secrets.json'))
    await rm(join(dataDir, 'installation.json'))
    await expect(start()).rejects.toThrow('is missing although the data folder is in use')
    const asked = await run(operateCommand('accept').split('\n')[0]?.replace(' --yes', '') ?? '')
    expect([asked.code, asked.said]).toEqual([1, expect.stringMatching(/passwordPepper: every password[\s\S]*Run it with --yes/)])

    await ok(operateCommand('accept'))
    app = await start()

    const trail = await rows<{ accepted: unknown }>(
      `select after_value->'accepted' as accepted from audit_log where action = 'installation.accepted'`,
    )
    expect(trail).toEqual([{ accepted: ['secrets', 'folder'] }])
    await app.close()
    app = await start()
  })
})
