import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { createLog } from '#kernel/log.ts'
import { loadFonts } from '#kernel/pdf/fonts.ts'
import { createPdf } from '#kernel/pdf/page.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testCaptcha, testSms } from '../support/app.ts'
import { testIdCard } from '../support/id-card.ts'
import { sealFor } from '../support/login.ts'
import { answersOf, submit, upload, uploadAll } from '../support/signing.ts'
import { fuzzTimeoutMs, runTrials, tellTrials } from '../support/trials.ts'
import { canaryIdCard, plantVictim } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
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
  owner = await t.owner()
})
afterAll(() => t.close())

/** A change of a value of a type that leaves it a value of the type. */
const changeOf = (type: string, column: string): string | undefined => {
  if (type === 'text' || type === 'character varying') return `coalesce(${column}, '') || 'x'`
  if (type === 'bigint' || type === 'integer') return `coalesce(${column}, 0) + 1`
  if (type === 'jsonb') return `coalesce(${column}, '{}') || '{"x": 1}'`
  if (type.startsWith('timestamp')) return `coalesce(${column}, now()) + interval '1 microsecond'`
  return undefined
}

describe('V25: whoever owns the database cannot change the record unseen', () => {
  test(
    'a value changed, a line removed, two exchanged: the check finds the place',
    async () => {
      const tenant: TestTenant = await t.tenant()
      const admin = await tenant.staff('admin')
      for (let i = 0; i < 12; i += 1)
        await admin.post('/blade-system/param/submit', { json: { paramName: `参数${i}`, paramKey: `fuzz.${i}`, paramValue: String(i) } })
      const sealer = createSealer({
        pool: t.app.services.pools.kaopu_platform,
        key: t.app.services.secrets.auditKey,
        clock: t.clock,
        log: createLog('silent'),
        heads: null,
        isTicking: false,
      })
      await sealer.sealNow()
      await sealer.stop()
      const columns = (
        await owner.query<{ name: string; type: string }>(
          `select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = 'audit_log' and is_generated = 'NEVER' and column_name <> 'tenant_id'`,
        )
      ).rows.flatMap(({ name, type }) => {
        const change = changeOf(type, name)
        return change === undefined ? [] : [{ name, change }]
      })
      expect(columns.length).toBeGreaterThan(8)
      const ids = (
        await owner.query<{ id: string }>('select id::text as id from audit_log where tenant_id = $1 order by id', [tenant.tenantId])
      ).rows.map(row => row.id)
      expect(ids.length).toBeGreaterThanOrEqual(12)
      // The check opens a transaction of its own; here it looks from within the one that is rolled back.
      const inside = {
        query: (text: string, values?: unknown[]) =>
          /^(begin|commit|rollback)/.test(text) ? Promise.resolve({ rows: [] }) : owner.query(text, values),
      }
      const client = inside as unknown as pg.PoolClient
      const findings = async () =>
        (await verifyAudit(client, t.app.services.secrets.auditKey, t.clock.now(), [])).findings.filter(
          one => one.tenant === tenant.tenantId,
        )
      expect(await findings()).toEqual([])
      const failures = await runTrials('V25 audit tamper', { quick: 60, long: 20_000 }, async random => {
        const id = random.pick(ids)
        const column = random.pick(columns)
        const [statement, what] = random.pick([
          [`update audit_log set ${column.name} = ${column.change} where tenant_id = $1 and id = $2`, `${column.name} changed`],
          ['delete from audit_log where tenant_id = $1 and id = $2', 'removed'],
          ['update audit_seal set chain_hash = reverse(chain_hash) where tenant_id = $1 and audit_id = $2', 'chain changed'],
          ['update audit_seal set signature = reverse(signature) where tenant_id = $1 and audit_id = $2', 'signature changed'],
        ] as const)
        await owner.query('begin')
        // Past the lock on the tables, as their owner can.
        await owner.query('set local session_replication_role = replica')
        try {
          const { rowCount } = await owner.query(statement, [tenant.tenantId, id])
          const seen = await findings()
          return rowCount === 1 && seen.length > 0 ? undefined : `${what} in line ${id} (${rowCount} rows): ${JSON.stringify(seen)}`
        } finally {
          await owner.query('rollback')
        }
      })
      expect(failures).toEqual([])
      expect(await findings()).toEqual([])
    },
    fuzzTimeoutMs,
  )
})

/** A page of the write-ahead log begins with a head of its own, which may stand in the middle of a value. */
const walPage = 8_192
const [walHead, firstWalHead] = [24, 40]
const recordsOf = (segment: Buffer): Buffer => {
  const pages: Buffer[] = []
  for (let at = 0; at < segment.length; at += walPage) pages.push(segment.subarray(at + (at === 0 ? firstWalHead : walHead), at + walPage))
  return Buffer.concat(pages)
}
const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

describe('V26: what must stay secret stands nowhere that is written down', () => {
  test(
    'numbers, phones, passwords and tokens of people who registered, logged in and signed up: tables, write-ahead log, stored files, logs',
    async () => {
      const told = async (of: string): Promise<string> => (await owner.query<{ at: string }>(`select ${of}::text as at`)).rows[0]?.at ?? ''
      // Kept until it has been looked at, or the end of this connection: a database that another test drops would let the server forget it.
      await owner.query(`select pg_create_physical_replication_slot('leak_scan', true, true)`)
      const from = await told('pg_current_wal_insert_lsn()')
      const victim = await plantVictim(t, owner)
      const guest = t.anonymous(victim.tenant.tenantId)
      const seal = (plain: string) => sealFor(t, plain)
      const [phone, idCard, password, wrong] = ['16055550123', testIdCard(77, '19930917'), 'Sunny-river-2718', 'Rainy-river-3141']
      const sms = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })
      const person = {
        username: 'leaktest',
        password: seal(password),
        password2: seal(password),
        realName: '李测',
        phone: seal(phone),
        idCard,
        smsId: sms.body.data.id,
        smsCode: testSms,
        consent: '1',
      }
      const register = (fields: Record<string, string>) => guest.post('/blade-system/user/register', { multipart: { fields } })
      expect((await register(person)).status).toBe(200)
      const logIn = async (plain: string) => {
        const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
        return guest.post('/blade-auth/oauth/token', {
          form: { grant_type: 'captcha', username: 'leaktest', password: seal(plain), key, code: testCaptcha },
        })
      }
      const signed = await logIn(password)
      expect(signed.status).toBe(200)
      const headers = { 'blade-auth': `bearer ${signed.body.access_token}` }
      const own: Person = {
        userId: signed.body.user_id,
        tenantId: victim.tenant.tenantId,
        token: signed.body.access_token,
        get: (path, options) => guest.get(path, { ...options, headers: { ...options?.headers, ...headers } }),
        post: (path, options) => guest.post(path, { ...options, headers: { ...options?.headers, ...headers } }),
      }
      const pdf = createPdf(loadFonts(), { title: '证明', createdAt: t.clock.now() })
      const document = Buffer.concat([await pdf.finish(), Buffer.from(`% ${idCard} ${phone}\n`)])
      await upload(own, document, 'paper.pdf', 'document')
      const content = answersOf(idCard, phone, { name: '李测' })
      const signup = await submit(own, victim.known['examId']?.[0] ?? '', { content, fileIds: await uploadAll(own) })
      expect(signup.status).toBe(200)
      // Calls that go wrong in the ways that programs like to write down.
      expect((await logIn(wrong)).status).toBe(400)
      expect((await register({ ...person, idCard: `${idCard}9`, phone })).status).toBe(400)
      await guest.get(`/blade-nothing/${idCard}`, { query: { phone, access_token: own.token } })
      await guest.post('/blade-auth/oauth/token', { form: { grant_type: 'captcha', username: 'leaktest', password: wrong } })
      await t.runTasks()
      const refresh = String(signed.headers['set-cookie']).match(/kaopu-refresh-token=([\w-]+)/)?.[1] ?? ''

      // What is written in clear on purpose must be found, or nothing that is not found means anything.
      const control = `control${newToken().replace(/[^a-zA-Z0-9]/g, '')}`
      await owner.query('create table leak_control (words text)')
      await owner.query('insert into leak_control values ($1)', [control])
      await writeFile(join(t.app.services.config.dataDir, 'leak-control'), `before ${control} after`)
      t.app.services.log.info({ words: control }, 'control')

      const elsewhere = [canaryIdCard, '16000000001', victim.candidate.token]
      const secrets = [phone, idCard, password, wrong, own.token, refresh, control]
      expect(new Set(secrets).size).toBe(secrets.length)
      // Bytes are written as hex in a row's JSON.
      const shapesOf = (all: readonly string[]) => all.flatMap(secret => [secret, Buffer.from(secret).toString('hex')])
      const found: string[] = []
      let looked = 0
      const look = (place: string, bytes: Buffer, all: readonly string[]): void => {
        looked += all.length
        for (const shape of shapesOf(all)) if (bytes.includes(shape)) found.push(`${place}: ${shape}`)
      }

      const tables = (
        await owner.query<{ name: string }>(
          `select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
        )
      ).rows
      expect(tables.length).toBeGreaterThan(50)
      const inTables = shapesOf([...secrets, ...elsewhere])
      looked += inTables.length * tables.length
      for (const { name } of tables) {
        const { rows } = await owner.query<{ shape: string }>(
          // A row becomes a text once, not once for each shape.
          `with told as materialized (select to_jsonb(r)::text as words from ${name} r)
           select distinct shape from told, unnest($1::text[]) shape where strpos(words, shape) > 0`,
          [inTables],
        )
        found.push(...rows.map(row => `${name}: ${row.shape}`))
      }

      // All that has been written down since the beginning, by whichever database of the server; this test's secrets are nobody else's.
      const to = await told('pg_switch_wal()')
      const { rows: segments } = await owner.query<{ bytes: Buffer }>(
        `select pg_read_binary_file('pg_wal/' || name) as bytes from pg_ls_waldir() where name between pg_walfile_name($1) and pg_walfile_name($2) order by name`,
        [from, to],
      )
      await owner.query(`select pg_drop_replication_slot('leak_scan')`)
      look('write-ahead log', Buffer.concat(segments.map(({ bytes }) => recordsOf(bytes))), secrets)

      // The bundled server's own words; another one keeps them where its operator said.
      await owner.query(`do $$ begin raise log '${control}'; end $$`)
      const folder = await told(`current_setting('data_directory')`)
      const said = process.env['TEST_DATABASE_URL'] === undefined ? await readFile(join(folder, '..', 'server.log')) : undefined
      if (said) look('log of the database', said, secrets)

      const files = await filesBelow(t.app.services.config.dataDir)
      expect(files.length).toBeGreaterThan(5)
      for (const path of files) {
        const name = relative(t.app.services.config.dataDir, path)
        look(name === 'leak-control' ? name : 'stored file', Buffer.concat([await readFile(path), Buffer.from(name)]), secrets)
      }
      look('log', Buffer.from(logged), secrets)

      const places = ['public.leak_control', 'write-ahead log', ...(said ? ['log of the database'] : []), 'leak-control', 'log']
      const leaks = found.filter(line => !line.endsWith(`: ${control}`))
      tellTrials('V26 leak scan', looked, leaks.length)
      expect(leaks).toEqual([])
      expect(found).toEqual(places.map(place => `${place}: ${control}`))
    },
    fuzzTimeoutMs,
  )
})
