import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anchorPath } from '#kernel/audit-chain/anchor.ts'
import { journalFolder, readJournal } from '#kernel/audit-chain/journal.ts'
import { allHeads, compareMemories, type HeadPlaces, readMemories } from '#kernel/audit-chain/memory.ts'
import { createSealer, type Sealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { vouching } from '#server/audit-verify.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
let tenant: TestTenant
let folder: string
let places: HeadPlaces
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  folder = await mkdtemp(join(tmpdir(), 'kaopu-journal-'))
  places = { dataDir: folder, second: join(folder, 'elsewhere') }
  return () => rm(folder, { recursive: true, force: true })
})

const key = () => t.app.services.secrets.auditKey
/** The sealer of an instance with these folders. */
const instance = (heads: HeadPlaces): Sealer =>
  createSealer({
    ...{ pool: t.app.services.pools.kaopu_platform, key: key(), clock: t.clock, log: createLog('silent'), isTicking: false },
    heads,
  })
const seal = async (): Promise<void> => {
  const one = instance(places)
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
const findings = async (of = places): Promise<readonly string[]> => {
  const memories = await readMemories(of, key())
  const client = await t.app.services.pools.kaopu_platform.connect()
  try {
    const verdict = await verifyAudit(client, key(), t.clock.now(), allHeads(memories))
    return [
      ...verdict.findings.filter(one => one.tenant === tenant.tenantId).map(one => one.problem),
      ...compareMemories(memories).map(one => `${one.problem} ${one.place.replace(folder, '')}`),
    ]
  } finally {
    client.release()
  }
}
/** The files of the journal beside the data, a day each. */
const lines = async (): Promise<readonly string[]> => (await readdir(journalFolder(folder))).filter(name => name.startsWith('heads-'))
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
    expect(await findings()).toEqual(['anchorLost', 'anchorOld /audit-anchor.json'])
  })

  test('and by the second journal alone, where everything in the data folder was put back', async () => {
    await act(2)
    await seal()
    const [name = ''] = await lines()
    const older = await readFile(join(journalFolder(folder), name), 'utf8')
    await copyFile(anchorPath(folder), join(folder, 'older.json'))
    await act(3)
    t.clock.advance(5 * 60_000)
    await seal()
    await cutTo(2)
    await copyFile(join(folder, 'older.json'), anchorPath(folder))
    await writeFile(join(journalFolder(folder), name), older)
    expect(await findings()).toEqual(['anchorLost', 'anchorOld /audit-anchor.json', 'journalBehind /audit-journal'])
  })

  test('where there is no other place, it is said since when and within which hours nobody can vouch', async () => {
    await act(1)
    await seal()
    const first = t.clock.now().toISOString()
    t.clock.advance(3 * 3_600_000)
    await act(1)
    await seal()
    const last = t.clock.now().toISOString()
    const journal = await readJournal(journalFolder(folder), key())
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
    const [name = ''] = await lines()
    const path = join(journalFolder(folder), name)
    const text = await readFile(path, 'utf8')
    const written = text.trimEnd().split('\n')
    const brokenBy = async (changed: readonly string[], secret: Uint8Array = key()) => {
      await writeFile(path, `${changed.join('\n')}\n`)
      return (await readJournal(journalFolder(folder), secret)).broken.map(place => place.split(':')[1])
    }
    expect(await brokenBy(written)).toEqual([])
    expect(await brokenBy(written.toSpliced(1, 1))).toEqual(['2'])
    expect(await brokenBy(written.with(1, (written[1] ?? '').replace('"seq":"', '"seq":"9')))).toContain('2')
    expect(await brokenBy(written, Buffer.alloc(32, 7))).toHaveLength(written.length)
    await writeFile(path, text)
    t.clock.advance(24 * 3_600_000)
    await seal()
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('400')
    expect(await lines()).toHaveLength(2)
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

describe('instances with different data folders', () => {
  const minute = 60_000
  const folders = () => ({
    one: { dataDir: join(folder, 'one'), second: join(folder, 'elsewhere') },
    two: { dataDir: join(folder, 'two'), second: join(folder, 'elsewhere') },
  })
  /** Of how many kinds: each place may have written another head down. */
  const kindsOf = async (of: HeadPlaces) => [...new Set(await findings(of))]
  const bothFind = async () => ({ one: await kindsOf(folders().one), two: await kindsOf(folders().two) })

  test('take turns to seal and each writes down all heads: the check finds nothing at either, and a cut at both', async () => {
    const one = instance(folders().one)
    let two = instance(folders().two)
    await act(2)
    await one.sealNow()
    expect(await two.sealNow()).toBeUndefined()
    expect(await bothFind()).toEqual({ one: [], two: [] })

    // The first goes and the second takes over, then the other way round; a chain that only the other sealed is known to both.
    await one.stop()
    await act(2)
    t.clock.advance(minute)
    await two.sealNow()
    t.clock.advance(30 * minute)
    const again = instance(folders().one)
    expect(await again.sealNow()).toBeUndefined()
    await act(1)
    t.clock.advance(minute)
    await two.sealNow()
    await again.sealNow()
    expect(await bothFind()).toEqual({ one: [], two: [] })
    await two.stop()
    t.clock.advance(5 * minute)
    await act(1)
    await again.sealNow()
    two = instance(folders().two)
    await two.sealNow()
    expect(await bothFind()).toEqual({ one: [], two: [] })
    // Both have written until now, whoever seals.
    for (const of of [folders().one, folders().two]) {
      const { own, others } = await readMemories(of, key())
      expect([...own, ...others].map(({ broken, until }) => [broken, until])).toEqual(Array(3).fill([[], t.clock.now().toISOString()]))
    }

    await again.stop()
    await two.stop()
    await cutTo(2)
    expect(await bothFind()).toEqual({ one: ['anchorLost'], two: ['anchorLost'] })
    // Where everything in one of the folders is put back too, its journal in the second folder still says so.
    await rm(anchorPath(folders().two.dataDir))
    const [name = ''] = (await readdir(journalFolder(folders().two.dataDir))).filter(one => one.startsWith('heads-'))
    const path = join(journalFolder(folders().two.dataDir), name)
    await writeFile(path, `${(await readFile(path, 'utf8')).split('\n')[0]}\n`)
    expect(await kindsOf(folders().two)).toEqual(['anchorLost', 'anchorOld /two/audit-anchor.json', 'journalBehind /two/audit-journal'])
  })

  test('and those that share one write it by turns, so that no line is written beside another', async () => {
    const first = instance(places)
    const beside = instance(places)
    await act(1)
    await first.sealNow()
    await beside.sealNow()
    const count = async () => (await readMemories(places, key())).own.map(({ entries, broken }) => [entries, broken])
    expect(await count()).toEqual([
      [1, []],
      [1, []],
    ])
    await first.stop()
    t.clock.advance(minute)
    await beside.sealNow()
    await beside.stop()
    // The end of each, and the minute between.
    expect(await count()).toEqual([
      [4, []],
      [4, []],
    ])
    expect(await findings()).toEqual([])
  })

  test('what a release before wrote into the second folder itself still counts', async () => {
    await act(2)
    await seal()
    const earlier = join(folder, 'elsewhere')
    const writer = (await readdir(earlier))[0] ?? ''
    for (const name of await readdir(join(earlier, writer))) await copyFile(join(earlier, writer, name), join(earlier, name))
    t.clock.advance(10 * minute)
    await seal()
    expect(await findings()).toEqual([])
    await rm(journalFolder(folder), { recursive: true })
    await rm(anchorPath(folder))
    await rm(join(earlier, writer), { recursive: true })
    await seal()
    await cutTo(1)
    expect(await findings()).toEqual(['anchorLost'])
  })
})
