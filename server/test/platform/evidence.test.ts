import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openOwnerPool, type Pool } from '#kernel/db/pool.ts'
import { createLog } from '#kernel/log.ts'
import { clauses } from '#server/evidence/clauses.ts'
import { gatherEvidence } from '#server/evidence/gather.ts'
import { dataKinds } from '#server/evidence/personal-data.ts'
import { sealedColumns } from '#server/evidence/probes/data.ts'
import { probes } from '#server/evidence/probes.ts'
import type { Installation } from '#server/evidence/reading.ts'
import { type Evidence, shareOf, writeEvidence } from '#server/evidence/write.ts'
import { evidenceWish } from '#server/evidence.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { operateCommand } from '../support/operate-docs.ts'

const log = createLog('silent')
const script = fileURLToPath(new URL('../../src/evidence.ts', import.meta.url))
let t: TestApp
let owner: Pool
let at: Installation
let evidence: Evidence
let folder: string
beforeAll(async () => {
  t = await startTestApp()
  const tenant = await t.tenant()
  await tenant.staff('exam_admin', { realName: '张三丰' })
  await tenant.candidate({ realName: '欧阳建国', phone: '13812345678' })
  owner = openOwnerPool(t.databaseUrl, log)
  folder = await mkdtemp(join(tmpdir(), 'kaopu-evidence-'))
  await writeFile(join(folder, 'secrets.json'), '{}', { mode: 0o600 })
  at = {
    application: t.app,
    config: { ...t.app.services.config, secretsFile: join(folder, 'secrets.json') },
    owner,
    now: t.clock.now(),
    outside: { problem: 'http://localhost is not https' },
  }
  evidence = await gatherEvidence(at, '0.1.0', log)
})
afterAll(async () => {
  await owner?.end()
  await t?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const testsOf = (probe: keyof typeof probes) =>
  evidence.clauses.flatMap(({ readings }) => readings.filter(({ id }) => id === probe))[0]?.reading.tests ?? []

describe('evidence › what is gathered', () => {
  test('no live test fails on a sound installation', () => {
    const failed = evidence.clauses.flatMap(({ readings }) =>
      readings.flatMap(({ id, reading }) =>
        (reading.tests ?? []).filter(({ verdict }) => verdict === 'fails').map(({ what, seen }) => `${id}: ${what.en}: ${seen}`),
      ),
    )

    expect([...new Set(failed)]).toEqual([])
  })

  test('four fifths of the clauses or more have evidence out of the machine, each other one says why not', () => {
    expect(shareOf(evidence.clauses).percent).toBeGreaterThanOrEqual(80)
    expect(clauses.filter(({ probes: own, gap }) => own.length === 0 && gap === undefined)).toEqual([])
    expect(new Set(clauses.map(({ standard, number }) => `${standard} ${number}`)).size).toBe(clauses.length)
  })

  test('every probe is used by a clause and tests something', () => {
    const used = new Set<string>(clauses.flatMap(clause => clause.probes))

    expect(Object.keys(probes).filter(id => !used.has(id))).toEqual([])
    expect((Object.keys(probes) as (keyof typeof probes)[]).filter(id => testsOf(id).length === 0)).toEqual([])
  })

  test('what is not switched on is said to be so: no https, no second journal, no backup, no second factor demanded', () => {
    expect(testsOf('transport').map(({ seen, verdict }) => ({ seen, verdict }))).toEqual([
      { seen: 'http://localhost is not https', verdict: 'unset' },
    ])
    expect(testsOf('backup').map(({ seen, verdict }) => ({ seen, verdict }))).toEqual([{ seen: 'none is recorded', verdict: 'unset' }])
    expect(testsOf('audit-chain').at(-1)).toMatchObject({ seen: 'not set', verdict: 'unset' })
  })
})

describe('evidence › a fault in the installation is seen', () => {
  const reread = async (probe: keyof typeof probes) =>
    (await probes[probe].read(at)).tests?.filter(({ verdict }) => verdict === 'fails') ?? []

  test('a table whose row-level security was switched off', async () => {
    await owner.query('alter table notice disable row level security')
    try {
      expect((await reread('row-security')).map(({ seen }) => seen)).toContain('notice')
    } finally {
      await owner.query('alter table notice enable row level security')
    }
    expect(await reread('row-security')).toEqual([])
  })

  test('an audit log that a role of the program may change', async () => {
    const { rows } = await t.app.services.pools.kaopu_staff.query<{ role: string }>('select current_user as role')
    const role = rows[0]?.role ?? ''
    await owner.query(`grant delete on audit_log to "${role}"`)
    try {
      expect((await reread('audit-unchangeable')).map(({ seen }) => seen)).toEqual(['rows of audit_log are never changed or removed'])
    } finally {
      await owner.query(`revoke delete on audit_log from "${role}"`)
    }
  })

  test('a value in a sealed column that is not sealed', async () => {
    await owner.query(`update account set phone_sealed = 'plain' where phone_sealed is not null`)

    const [unsealed, opened] = await reread('sealed-fields')
    expect(Number(unsealed?.seen)).toBeGreaterThan(0)
    expect(opened?.seen).toContain('not a sealed field')
    await owner.query('update account set phone_sealed = null where true')
  })

  test('a probe that breaks is a failed test with its words, and the others go on', async () => {
    const broken = { ...at, config: { ...at.config, secretsFile: join(folder, 'no-such-file.json') } }
    const again = await gatherEvidence(broken, '0.1.0', log)
    const custody = again.clauses.flatMap(({ readings }) => readings).find(({ id }) => id === 'key-custody')

    expect(custody?.reading.tests?.[0]).toMatchObject({ expected: 'a result', verdict: 'fails' })
    expect(custody?.reading.tests?.[0]?.seen).toContain('ENOENT')
    expect(again.clauses.length).toBe(clauses.length)
  })
})

describe('evidence › what is declared is complete', () => {
  test('every sealed column of the database is a kind of data with purpose, basis and time', async () => {
    const declared = new Set(dataKinds.flatMap(({ columns }) => columns))

    expect((await sealedColumns(at)).map(({ table, column }) => `${table}.${column}`).filter(name => !declared.has(name))).toEqual([])
  })

  test('every job that erases says what and when', () => {
    const silent = t.app.modules.processors.filter(
      ({ name, help, erases }) => (/purge|erase|sweep|clean/.test(name) || /^(Removes|Erases)/.test(help.en)) && erases === undefined,
    )

    expect(silent.map(({ name }) => name).filter(name => name !== 'pay.sweep')).toEqual([])
    expect(evidence.retention.map(({ job, after }) => `${job} ${after.en}`)).toEqual(
      expect.arrayContaining(['signup.erase 90 days', 'signup.erase 365 days', 'ticket.erase-health 30 days', 'file.sweep 30 days']),
    )
  })
})

describe('evidence › what is written', () => {
  test.each(['zh', 'en'] as const)('in %s: a page for each clause, the papers, no personal data in full', async language => {
    const files = await writeEvidence(join(folder, language), evidence, language)
    const texts = await Promise.all(files.map(path => readFile(join(folder, language, path), 'utf8')))
    const all = texts.join('\n')

    expect(files.length).toBe(clauses.length + 7)
    expect(new Set(files).size).toBe(files.length)
    for (const secret of ['13812345678', '欧阳建国', t.app.services.secrets.fieldRootKey.toString('base64url')])
      expect(all).not.toContain(secret)
    expect(all).not.toContain('undefined')
    const summary = JSON.parse(texts[files.indexOf('summary.json')] ?? '') as { readonly standards: unknown }
    expect(summary.standards).toEqual({
      protection: shareOf(evidence.clauses.filter(({ clause }) => clause.standard === 'protection')),
      cryptography: shareOf(evidence.clauses.filter(({ clause }) => clause.standard === 'cryptography')),
    })
    const index = texts[files.indexOf('index.html')] ?? ''
    for (const [, href = ''] of index.matchAll(/href="([^"]+)"/g)) expect(files).toContain(href)
  })

  test('the command of the paper writes it beside the running program, and ends with 0', async () => {
    const out = join(folder, 'printed')
    const line = operateCommand('evidence-write', { '/var/lib/kaopu/evidence': out }).trim()
    const data = join(folder, 'data')
    await mkdir(data, { recursive: true })
    await copyFile(join(inject('dataDir'), 'secrets.json'), join(data, 'secrets.json'))
    const [, args = ''] = /^npm run evidence -- (.+)$/.exec(line) ?? []
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args.split(' ')], {
      env: {
        PATH: process.env['PATH'],
        KAOPU_PROFILE: 'test',
        KAOPU_DATA: data,
        DATABASE_URL: t.databaseUrl,
        KAOPU_LOG_LEVEL: 'silent',
        NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/kaopu-code', import.meta.url)),
      },
    })

    expect(stdout).toMatch(/clauses have evidence out of the machine \(\d\d %\): \d+ hold, 0 fail,/)
    expect(await readFile(join(out, 'index.html'), 'utf8')).toContain('<html lang="zh-CN">')
  })

  test('a command line that is not understood is explained', () => {
    expect(evidenceWish(['out', '--language', 'en']).language).toBe('en')
    expect(() => evidenceWish([])).toThrow('npm run evidence -- <folder>')
    expect(() => evidenceWish(['out', '--language', 'fr'])).toThrow('npm run evidence -- <folder>')
    expect(() => evidenceWish(['out', '--other'])).toThrow("Unknown option '--other'")
  })
})
