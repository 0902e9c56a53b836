import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { createLog } from '#kernel/log.ts'
import { startTestApp, type TestApp, type TestTenant, testCaptcha, testSms } from '../support/app.ts'
import { testIdCard } from '../support/id-card.ts'
import { sealFor } from '../support/login.ts'
import { fuzzTimeoutMs, runTrials, tellTrials } from '../support/trials.ts'
import { canaryIdCard, plantVictim } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
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
        anchors: null,
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

describe('V26: what must stay secret stands nowhere in the database', () => {
  test(
    'numbers, phones, passwords and tokens of people who registered, logged in and signed up',
    async () => {
      const victim = await plantVictim(t, owner)
      const guest = t.anonymous(victim.tenant.tenantId)
      const seal = (plain: string) => sealFor(t, plain)
      const [phone, idCard, password] = ['16055550123', testIdCard(77), 'Sunny-river-2718']
      const sms = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })
      const registered = await guest.post('/blade-system/user/register', {
        multipart: {
          fields: {
            username: 'leaktest',
            password: seal(password),
            password2: seal(password),
            realName: '李测',
            phone: seal(phone),
            idCard,
            smsId: sms.body.data.id,
            smsCode: testSms,
            consent: '1',
          },
        },
      })
      expect(registered.status).toBe(200)
      const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
      const signed = await guest.post('/blade-auth/oauth/token', {
        form: { grant_type: 'captcha', username: 'leaktest', password: seal(password), key, code: testCaptcha },
      })
      expect(signed.status).toBe(200)
      await t.runTasks()
      const refresh = String(signed.headers['set-cookie']).match(/kaopu-refresh-token=([\w-]+)/)?.[1] ?? ''
      const secrets = [phone, idCard, password, signed.body.access_token, refresh, canaryIdCard, '16000000001', victim.candidate.token]
      const tables = (
        await owner.query<{ name: string }>(
          `select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
        )
      ).rows
      expect(tables.length).toBeGreaterThan(50)
      // Bytes are written as hex in a row's JSON.
      const shapes = secrets.flatMap(secret => [secret, Buffer.from(secret).toString('hex')])
      const found: string[] = []
      for (const { name } of tables) {
        const { rows } = await owner.query<{ shape: string }>(
          `select distinct shape from ${name} r, unnest($1::text[]) shape where strpos(to_jsonb(r)::text, shape) > 0`,
          [shapes],
        )
        found.push(...rows.map(row => `${name}: ${row.shape}`))
      }
      tellTrials('V26 leak scan', shapes.length * tables.length, found.length)
      expect(found).toEqual([])
    },
    fuzzTimeoutMs,
  )
})
