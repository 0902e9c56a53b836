import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anchorPath, readAnchors } from '#kernel/audit-chain/anchor.ts'
import { readJournal } from '#kernel/audit-chain/journal.ts'
import { compareMemories } from '#kernel/audit-chain/memory.ts'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { vouching } from '#server/audit-verify.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
let tenant: TestTenant
let folder: string
let journals: readonly [string, string]
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  folder = await mkdtemp(join(tmpdir(), 'kaopu-journal-'))
  journals = [join(folder, 'beside'), join(folder, 'elsewhere')]
  return () => rm(folder, { recursive: true, force: true })
})

const key = () => t.app.services.secrets.auditKey
const seal = async (): Promise<void> => {
  const one = createSealer({
    pool: t.app.services.pools.kaopu_platform,
    key: key(),
    clock: t.clock,
    log: createLog('silent'),
    anchors: anchorPath(folder),
    journals,
    isTicking: false,
  })
  await one.sealNow()
  await one.stop()
}
const act = async (times: number): Promise<void> => {
  const admin = await tenant.staff('admin')
  for (let i = 0; i < times; i += 1)
    await admin.post('/blade-system/param/submit', {
      json: { paramName: `参数${i}`, paramKey: `journal.${i}.${admin.userId}`, paramValue: '1' },
    })
}
/** What `npm run audit:verify` would say of this tenant and of the memories. */
const findings = async (): Promise<readonly string[]> => {
  const read = [await readJournal(journals[0], key()), await readJournal(journals[1], key())]
  const anchors = await readAnchors(anchorPath(folder))
  const client = await t.app.services.pools.kaopu_platform.connect()
  try {
    const verdict = await verifyAudit(client, key(), t.clock.now(), [...anchors, ...read.flatMap(one => one.heads)])
    return [
      ...verdict.findings.filter(one => one.tenant === tenant.tenantId).map(one => one.problem),
      ...compareMemories('anchors', anchors, read).map(one => `${one.problem} ${one.place.replace(folder, '')}`),
    ]
  } finally {
    client.release()
  }
}
/** Takes the end of the chain away, as the owner of the database can, down to this seal. */
const cutTo = async (seq: number): Promise<void> => {
  const owner = await t.owner()
  await owner.query('set session_replication_role = replica')
  await owner.query(
    'delete from audit_log where tenant_id = $1 and id in (select audit_id from audit_seal where tenant_id = $1 and seq > $2)',
    [tenant.tenantId, seq],
  )
  await owner.query('delete from audit_seal where tenant_id = $1 and seq > $2', [tenant.tenantId, seq])
  await owner.query('set session_replication_role = origin')
}

describe('[19.21] a chain that was cut together with an older anchor', () => {
  test('is noticed by the journals, which the anchors’ older copy is behind of', async () => {
    await act(2)
    await seal()
    await copyFile(anchorPath(folder), join(folder, 'older.json'))
    await act(3)
    t.clock.advance(60_000)
    await seal()
    expect(await findings()).toEqual([])
    await cutTo(2)
    await copyFile(join(folder, 'older.json'), anchorPath(folder))
    expect(await findings()).toEqual(['anchorLost', 'anchorOld anchors'])
  })

  test('and by the second journal alone, where everything in the data folder was put back', async () => {
    await act(2)
    await seal()
    const [name = ''] = await readdir(journals[0])
    const older = await readFile(join(journals[0], name), 'utf8')
    await copyFile(anchorPath(folder), join(folder, 'older.json'))
    await act(3)
    t.clock.advance(5 * 60_000)
    await seal()
    await cutTo(2)
    await copyFile(join(folder, 'older.json'), anchorPath(folder))
    await writeFile(join(journals[0], name), older)
    expect(await findings()).toEqual(['anchorLost', 'anchorOld anchors', 'journalBehind /beside'])
  })

  test('where there is no other place, it is said since when and within which hours nobody can vouch', async () => {
    await act(1)
    await seal()
    const first = t.clock.now().toISOString()
    t.clock.advance(3 * 3_600_000)
    await act(1)
    await seal()
    const last = t.clock.now().toISOString()
    const journal = await readJournal(journals[0], key())
    expect(vouching({ ...journal, folder: 'j' })).toEqual([
      `j: vouches from ${first} to ${last}; for what was cut before then, or after, it cannot vouch.`,
      `j: cannot vouch from ${first} to ${last}: nothing was written down. Was the program stopped then?`,
    ])
    expect(vouching(await readJournal(join(folder, 'nowhere'), key()))[0]).toContain('nothing was written down')
  })

  test('a line that is changed, taken out or written with another key breaks the journal; a day that is over is closed', async () => {
    for (let minute = 0; minute < 3; minute += 1) {
      t.clock.advance(60_000)
      await seal()
    }
    const [name = ''] = await readdir(journals[0])
    const path = join(journals[0], name)
    const text = await readFile(path, 'utf8')
    const lines = text.trimEnd().split('\n')
    const brokenBy = async (changed: readonly string[], secret: Uint8Array = key()) => {
      await writeFile(path, `${changed.join('\n')}\n`)
      return (await readJournal(journals[0], secret)).broken.map(place => place.split(':')[1])
    }
    expect(await brokenBy(lines)).toEqual([])
    expect(await brokenBy(lines.toSpliced(1, 1))).toEqual(['2'])
    expect(await brokenBy(lines.with(1, (lines[1] ?? '').replace('"seq":"', '"seq":"9')))).toContain('2')
    expect(await brokenBy(lines, Buffer.alloc(32, 7))).toHaveLength(lines.length)
    await writeFile(path, text)
    t.clock.advance(24 * 3_600_000)
    await seal()
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('400')
    expect(await readdir(journals[0])).toHaveLength(2)
  })

  test('an export of the trail carries the head of the chain', async () => {
    const auditor = await tenant.staff('auditor')
    await act(2)
    await seal()
    const [head] = await tenant.rows(sql<{ text: string }>`
      select tenant_id || ':' || seq || ':' || chain_hash as text from audit_seal where tenant_id = ${tenant.tenantId} order by seq desc limit 1`)
    const book = await auditor.get('/blade-log/audit/export')
    expect(book.status).toBe(200)
    expect(JSON.stringify(await sheetRows(book.raw))).toContain(`审计链首 ${head?.text}`)
  })
})
