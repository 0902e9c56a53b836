import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { anchorPath, readAnchors } from '#kernel/audit-chain/anchor.ts'
import { putOnHold, type Query, releaseHold } from '#kernel/hold.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { namesAhead } from '#server/older-database.ts'
import { startTestApp } from '../support/app.ts'
import { smsEmulatorOf } from '../support/sms.ts'

test('a restored installation sends nothing: no call, no queued task, no scheduled job, until it is released, and then goes on by itself', async () => {
  const original = await startTestApp()
  try {
    const owner = await original.owner()
    const reason = { backup: '20260301T020000Z-abcdef', takenAt: '2026-03-01T02:00:00.000Z', restoredAt: '2026-03-01T09:00:00.000Z' }
    await putOnHold((text, values) => owner.query(text, values as unknown[]), reason)
    const tenant = await original.tenant()
    await tenant.db(db => enqueue(db, 'pay.lapse', { payId: '1' }))
    await owner.query("select graphile_worker.add_job('pay.lapse', $1::json)", [JSON.stringify({ tenantId: tenant.tenantId, payId: '2' })])
    const work = async () =>
      (
        await owner.query<{ ordered: number; queued: number; tried: number; runs: number }>(`
          select (select count(*) from outbox)::int as ordered, (select count(*) from graphile_worker._private_jobs)::int as queued,
            (select coalesce(sum(attempts), 0) from graphile_worker._private_jobs)::int as tried,
            (select count(*) from job_instance where started_at is not null)::int as runs`)
      ).rows[0]

    const t = await startTestApp({ databaseUrl: original.databaseUrl, withWorker: true })
    try {
      expect([t.app.hold.isHeld(), t.app.hold.reason()]).toEqual([true, reason])
      await t.app.modules.job.runOwn('pay.sweep')
      expect(await t.app.modules.job.scheduler.tick()).toBe(0)
      const emulator = await smsEmulatorOf(t)
      const call = () => t.app.sms?.gateway.outbound({ method: 'GET', url: `${emulator.url}/` })
      await expect(call()).rejects.toMatchObject({ name: 'OutboundError', failure: 'held' })
      expect(await work()).toEqual({ ordered: 1, queued: 1, tried: 0, runs: 0 })

      await owner.query("delete from installation where key = 'restored'")

      await expect.poll(work, { timeout: 30_000 }).toMatchObject({ ordered: 0, queued: 0 })
      expect(t.app.hold.isHeld()).toBe(false)
      await expect.poll(async () => (await work())?.runs, { timeout: 30_000 }).toBeGreaterThan(0)
      expect((await call())?.status).toBe(404)
    } finally {
      await t.close()
    }
  } finally {
    await original.close()
  }
})

test('a task that was taken before the installation was held is given back when the process ends, not run', async () => {
  const original = await startTestApp()
  try {
    const owner = await original.owner()
    const t = await startTestApp({ databaseUrl: original.databaseUrl, withWorker: true })
    const at = '2026-03-01T02:00:00.000Z'
    await putOnHold((text, values) => owner.query(text, values as unknown[]), { backup: 'x', takenAt: at, restoredAt: at })
    await t.app.hold.look()
    await owner.query("select graphile_worker.add_job('pay.lapse', $1::json)", [JSON.stringify({ tenantId: '000000', payId: '1' })])
    const jobs = async () => (await owner.query('select attempts, last_error from graphile_worker._private_jobs')).rows
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([{ attempts: 1, last_error: null }])

    await t.close()

    expect(await jobs()).toEqual([{ attempts: 1, last_error: expect.stringContaining('the process stopped before the task might run') }])
  } finally {
    await original.close()
  }
})

test('a database that was put back by hand, behind what is remembered of its audit, is held by the start, which says why; released it stays so', async () => {
  const original = await startTestApp()
  try {
    const { databaseUrl } = original
    const { dataDir } = original.app.services.config
    const owner = await original.owner()
    const admin = await original.platform().staff('admin')
    const act = (name: string) => admin.post('/blade-system/param/submit', { json: { paramName: name, paramKey: name, paramValue: '1' } })
    const heads = async () => (await readAnchors(anchorPath(dataDir))).filter(({ tenant }) => tenant === '000000')
    const held = async () => {
      const t = await startTestApp({ databaseUrl, dataDir, withWorker: true })
      try {
        const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from audit_seal')
        await act(`held.${rows[0]?.n}`)
        const isSealed = async () => {
          const { rows: chain } = await owner.query<{ seq: string; waits: number }>(
            "select (select max(seq)::text from audit_seal where tenant_id = '000000') as seq, (select count(*)::int from audit_pending) as waits",
          )
          const [one] = await heads()
          return chain[0]?.waits === 0 && one !== undefined && BigInt(one.seq) >= BigInt(chain[0].seq ?? '0')
        }
        await expect.poll(isSealed, { timeout: 30_000 }).toBe(true)
        return [t.app.hold.isHeld(), t.app.hold.reason()] as const
      } finally {
        await t.close()
      }
    }
    expect(await held()).toEqual([false, undefined])
    await act('lost.one')
    expect(await held()).toEqual([false, undefined])
    const [head] = await heads()
    // The database of a moment before.
    await owner.query('set session_replication_role = replica')
    await owner.query(
      "delete from audit_log where tenant_id = '000000' and id in (select audit_id from audit_seal where tenant_id = '000000' and seq > 1)",
    )
    await owner.query("delete from audit_seal where tenant_id = '000000' and seq > 1")
    await owner.query('set session_replication_role = origin')

    const [isHeld, reason] = await held()

    expect([isHeld, reason]).toEqual([
      true,
      { backup: '', takenAt: expect.any(String), restoredAt: expect.any(String), ahead: [`000000:${head?.seq}:${head?.chain}`] },
    ])
    const { rows: trail } = await owner.query("select after_value from audit_log where action = 'installation.held'")
    expect(trail).toEqual([{ after_value: reason }])
    const query: Query = (text, values) => owner.query(text, values as unknown[]) as never
    const { pools, keys } = original.app.services
    await releaseHold(query, await namesAhead({ config: original.app.services.config, pools, auditKey: keys.auditKey }))
    expect(await held()).toEqual([false, undefined])
  } finally {
    await original.close()
  }
})

const source = join(import.meta.dirname, '..', '..', 'src')
/** Who may open a connection to something that is not the program's own database, and why that sends nothing while the installation is held. */
const ways: Readonly<Record<string, string>> = {
  'kernel/outbound.ts': 'the way out, which asks the hold',
  'kernel/foreign-database.ts': 'reads only, by the press of a button',
  'kernel/free-port.ts': 'listens',
  'kernel/try-connect.ts': 'connects by the press of a button and says nothing',
  'kernel/http/waiting-page.ts': 'a script of a page, run by the browser',
  'evidence/outside.ts': 'reads the own public address, by a command',
  'kernel/db/embedded.ts': 'listens',
  'kernel/http/client.ts': 'reads addresses',
  'kernel/http/server.ts': 'names of statuses',
  'demo/oauth.ts': 'listens: the emulator',
  'demo/payments.ts': 'between the processes of a demo',
  'demo/sms-emulator/emulator.ts': 'listens: the emulator',
  'demo/wxpay-emulator/emulator.ts': 'listens: the emulator',
  'modules/exam/open/look.ts': 'a script of a page, run by the browser',
}

test('nothing but the way out that asks the hold may reach another machine, and nobody outside of tests takes one that is never held', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    name => /\.(ts|mjs)$/.test(name) && !name.endsWith('.test.ts'),
  )
  const opens = /from '(?:node:)?(?:http|https|http2|net|tls|dgram|undici|nodemailer|ws)'|mysql2|\bfetch\(|new (?:WebSocket|EventSource)\b/
  const textOf = (name: string): string => readFileSync(join(source, name), 'utf8')

  expect(
    files
      .filter(name => opens.test(textOf(name)))
      .map(name => relative('.', name).replaceAll('\\', '/'))
      .sort(),
  ).toEqual(Object.keys(ways).sort())
  expect(files.filter(name => /\bneverHeld\b/.test(textOf(name))).sort()).toEqual([
    'kernel/backup/place.ts',
    'kernel/hold.ts',
    'login-providers.ts',
  ])
})
