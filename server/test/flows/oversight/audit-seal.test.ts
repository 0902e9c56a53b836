import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anchorPath, readAnchors } from '#kernel/audit-chain/anchor.ts'
import type { AuditHead } from '#kernel/audit-chain/line.ts'
import { createSealer, Fenced, sealPending, takeSealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let owner: pg.Client
let folder: string
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  folder = await mkdtemp(join(tmpdir(), 'kaopu-anchor-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await t.close()
})
const key = () => t.app.services.secrets.auditKey
const pool = () => t.app.services.pools.kaopu_platform
const reported: unknown[] = []
const sealer = () => {
  const log = createLog('silent')
  log.error = (...words: unknown[]) => void reported.push(words[0])
  return createSealer({ pool: pool(), key: key(), clock: t.clock, log, heads: { dataDir: folder, second: undefined }, isTicking: false })
}
const sealAll = async (): Promise<number | undefined> => {
  const one = sealer()
  try {
    return await one.sealNow()
  } finally {
    await one.stop()
  }
}
const verify = async (anchors: readonly AuditHead[] = [], secret: Uint8Array = key()) => {
  const client = await pool().connect()
  try {
    return await verifyAudit(client, secret, t.clock.now(), anchors)
  } finally {
    client.release()
  }
}
/** Audit lines of this test's own tenant, as a change of a parameter leaves them. */
const act = async (times: number): Promise<string[]> => {
  const admin = await tenant.staff('admin')
  for (let i = 0; i < times; i += 1)
    await admin.post('/blade-system/param/submit', {
      json: { paramName: `参数${i}`, paramKey: `seal.${i}.${admin.userId}`, paramValue: '1' },
    })
  const rows = await tenant.rows(sql<{ id: string }>`select id::text as id from audit_log order by id`)
  return rows.map(row => row.id)
}
/** The append-only tables as only the owner of the database can touch them, past their lock. */
const tamper = async (statement: string, values: unknown[]): Promise<void> => {
  await owner.query('set session_replication_role = replica')
  await owner.query(statement, values)
  await owner.query('set session_replication_role = origin')
}
const found = async (anchors: readonly AuditHead[] = []) =>
  (await verify(anchors)).findings.filter(one => one.tenant === tenant.tenantId).map(({ problem, place }) => `${problem} ${place}`)

describe('the audit chain (decision 4.3)', () => {
  beforeEach(async () => {
    tenant = await t.tenant()
  })

  test('committed lines are sealed in order, each once; what is rolled back never was', async () => {
    const ids = await act(3)
    await tenant
      .db(async db => {
        await db.run(sql`insert into audit_log (tenant_id, actor_kind, action, entity) values (${tenant.tenantId}, 'system', 'x.y', 'x')`)
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    expect(await sealAll()).toBeGreaterThanOrEqual(3)
    expect(await sealAll()).toBe(0)
    const seals = await owner.query(
      'select seq::int as seq, audit_id::text as id, chain_hash, signature from audit_seal where tenant_id = $1 order by seq',
      [tenant.tenantId],
    )
    expect(seals.rows.map(row => [row.seq, row.id])).toEqual(ids.map((id, i) => [i + 1, id]))
    expect(new Set(seals.rows.map(row => row.chain_hash)).size).toBe(3)
    const verdict = await verify()
    expect(verdict).toMatchObject({ findings: [], waiting: 0 })
    expect(verdict.heads).toContainEqual({ tenant: tenant.tenantId, seq: '3', chain: seals.rows[2]?.chain_hash })
    await act(1)
    expect(await verify()).toMatchObject({ findings: [], waiting: 1 })
    t.clock.advance(61_000)
    expect(await found()).toHaveLength(1)
    await sealAll()
    expect(await found()).toEqual([])
  })

  test.each([
    ['user_id', `update audit_log set user_id = 1 where tenant_id = $1 and id = $2`],
    ['what was done', `update audit_log set after_value = jsonb_set(after_value, '{paramValue}', '"2"') where tenant_id = $1 and id = $2`],
    ['the time', `update audit_log set created_at = created_at + interval '1 microsecond' where tenant_id = $1 and id = $2`],
    ['a reason that was not given', `update audit_log set reason = '' where tenant_id = $1 and id = $2`],
  ])('a changed line is found by its place: %s', async (_what, statement) => {
    const ids = await act(3)
    await sealAll()
    await tamper(statement, [tenant.tenantId, ids[1]])
    expect(await found()).toEqual([`changed seal 2, line ${ids[1]}`])
  })

  test('a removed line, a removed seal, a line slipped in and a line that was put elsewhere are found', async () => {
    const ids = await act(4)
    await sealAll()
    await tamper('delete from audit_log where tenant_id = $1 and id = $2', [tenant.tenantId, ids[1]])
    expect(await found()).toEqual([`removed seal 2, line ${ids[1]}`])
    await tamper('delete from audit_seal where tenant_id = $1 and seq = 2', [tenant.tenantId])
    expect(await found()).toEqual([`sealMissing seal 3, line ${ids[2]}`])

    tenant = await t.tenant()
    const own = await act(2)
    await sealAll()
    await tamper(
      `insert into audit_log (tenant_id, id, actor_kind, action, entity, created_at) values ($1, 5, 'staff', 'x.y', 'x', now())`,
      [tenant.tenantId],
    )
    await tamper('delete from audit_pending where tenant_id = $1', [tenant.tenantId])
    expect(await found()).toEqual(['added line 5'])
    await tamper('delete from audit_log where tenant_id = $1 and id = 5', [tenant.tenantId])
    await tamper('update audit_seal set audit_id = -audit_id where tenant_id = $1', [tenant.tenantId])
    await tamper(`update audit_seal set audit_id = case seq when 1 then $2::bigint else $3::bigint end where tenant_id = $1`, [
      tenant.tenantId,
      own[1],
      own[0],
    ])
    expect((await found()).map(line => line.split(' ')[0])).toEqual(['chainBroken', 'changed', 'chainBroken', 'changed'])
  })

  test('a chain that was computed anew without the key is forged, and one that was cut no longer holds its anchor', async () => {
    await act(3)
    await sealAll()
    const before = (await verify()).heads.filter(head => head.tenant === tenant.tenantId)
    expect(await found(before)).toEqual([])
    // Cut at the end, line and seal alike: only what was written down elsewhere knows.
    await tamper('delete from audit_seal where tenant_id = $1 and seq = 3', [tenant.tenantId])
    await tamper('delete from audit_log where tenant_id = $1 and id = (select max(id) from audit_log where tenant_id = $1)', [
      tenant.tenantId,
    ])
    expect(await found()).toEqual([])
    expect(await found(before)).toEqual(['anchorLost seal 3'])
    await tamper('update audit_seal set signature = $2 where tenant_id = $1 and seq = 2', [tenant.tenantId, 'a'.repeat(64)])
    expect((await found())[0]).toMatch(/^sealForged seal 2/)
    const strange = await verify([], Buffer.alloc(32, 7))
    expect(strange.findings.filter(one => one.tenant === tenant.tenantId).every(one => one.problem === 'sealForged')).toBe(true)
  })

  test('a tail that is cut before anybody verified is found too: the sealer wrote the heads down, and later lines do not hide the cut', async () => {
    const ids = await act(3)
    await sealAll()
    const anchorOf = async () => (await readAnchors(anchorPath(folder))).find(one => one.tenant === tenant.tenantId)
    const before = await anchorOf()
    expect(before?.seq).toBe('3')
    expect(await found(await readAnchors(anchorPath(folder)))).toEqual([])
    await tamper('delete from audit_seal where tenant_id = $1 and seq = 3', [tenant.tenantId])
    await tamper('delete from audit_log where tenant_id = $1 and id = $2', [tenant.tenantId, ids[2]])
    expect(await found(await readAnchors(anchorPath(folder)))).toEqual(['anchorLost seal 3'])
    reported.length = 0
    await act(2)
    await sealAll()
    expect(await found()).toEqual([])
    expect(await anchorOf()).toEqual(before)
    expect(reported).toContainEqual({ tenant: tenant.tenantId })
    expect(await found(await readAnchors(anchorPath(folder)))).toEqual(['anchorLost seal 3'])
    // A damaged file stays as it is for whoever looks, and lines go on being sealed.
    const path = anchorPath(folder)
    const whole = await readFile(path, 'utf8')
    await writeFile(path, whole.slice(0, 20))
    reported.length = 0
    await act(1)
    expect(await sealAll()).toBeGreaterThan(0)
    expect([reported, await readFile(path, 'utf8')]).toEqual([[{ file: path }], whole.slice(0, 20)])
    await writeFile(path, whole)
    // Other chains go on, and so do their anchors.
    tenant = await t.tenant()
    await act(1)
    await sealAll()
    expect((await anchorOf())?.seq).toBe('1')
  })

  test('of two sealers one works; when its session ends the other goes on where it stopped', async () => {
    const [first, second] = [sealer(), sealer()]
    await act(2)
    expect(await first.sealNow()).toBe(2)
    await act(2)
    expect(await second.sealNow()).toBeUndefined()
    expect(await first.sealNow()).toBe(2)
    await act(1)
    await first.stop()
    expect(await second.sealNow()).toBe(1)
    await second.stop()
    expect(await found()).toEqual([])
  })

  test('a sealer that lost its lock without knowing writes nothing any more', async () => {
    const [old, young] = [await pool().connect(), await pool().connect()]
    try {
      const fence = await takeSealer(old, t.clock.now())
      expect(fence).toMatch(/^\d+$/)
      // As after a cut connection: the lock is free, the old one still believes in its number.
      await old.query('select pg_advisory_unlock_all()')
      const next = await takeSealer(young, t.clock.now())
      expect(BigInt(next ?? 0)).toBeGreaterThan(BigInt(fence ?? 0))
      await act(2)
      await expect(sealPending(old, key(), fence ?? '', t.clock.now())).rejects.toBeInstanceOf(Fenced)
      const [a, b] = await Promise.allSettled([
        sealPending(young, key(), next ?? '', t.clock.now()),
        sealPending(old, key(), fence ?? '', t.clock.now()),
      ])
      expect([a.status, b.status]).toEqual(['fulfilled', 'rejected'])
    } finally {
      old.release(true)
      young.release(true)
    }
    expect(await found()).toEqual([])
  })

  test('behind the grants there is a lock: not even the owner changes, removes or empties by a statement alone', async () => {
    await act(2)
    await sealAll()
    const sealed = async () =>
      (
        await owner.query('select count(*)::int as n from audit_seal s join audit_log a on a.id = s.audit_id where s.tenant_id = $1', [
          tenant.tenantId,
        ])
      ).rows
    for (const table of ['audit_log', 'audit_seal'])
      for (const statement of [
        `update ${table} set tenant_id = tenant_id where false`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        await expect(owner.query(statement)).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('never changed') })
    expect(await sealed()).toEqual([{ n: 2 }])
    expect(await found()).toEqual([])
  })

  test('the application cannot touch seals: staff and candidates neither read what waits nor write a seal', async () => {
    await act(1)
    await sealAll()
    await expect(tenant.rows(sql`select 1 from audit_pending`)).rejects.toMatchObject({ code: '42501' })
    await expect(tenant.rows(sql`update audit_seal set fence = 0`)).rejects.toMatchObject({ code: '42501' })
    await expect(
      tenant.rows(
        sql`insert into audit_seal (tenant_id, seq, audit_id, row_hash, chain_hash, signature, fence, sealed_at) values (${tenant.tenantId}, 99, 1, '', '', '', 0, now())`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(tenant.rows(sql`delete from audit_log`)).rejects.toMatchObject({ code: '42501' })
  })
})
