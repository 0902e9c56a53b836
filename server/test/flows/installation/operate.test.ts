import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { emptyDatabase } from '../../support/empty-database.ts'
import { operateCommand } from '../../support/operate-docs.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
let t: TestApp
let folder: string
beforeAll(async () => {
  t = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'kaopu-operate-'))
  await copyFile(join(inject('dataDir'), 'secrets.json'), join(folder, 'secrets.json'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await t.close()
})

const run = async (text: string, of = { url: t.databaseUrl, dataDir: folder }): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-ec', text], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        KAOPU_PROFILE: 'test',
        KAOPU_DATA: of.dataDir,
        DATABASE_URL: of.url,
        KAOPU_LOG_LEVEL: 'silent',
      },
    })
  ).stdout

test('the paper on the first day: the first account runs the platform, the others are the three who keep each other in check', async () => {
  // As on the first day: nobody has started anything on this database.
  const database = await emptyDatabase()
  onTestFinished(() => database.close())
  const first = await run(operateCommand('first-day-account'), database)
  expect(first).toContain('chief (administrator)')
  expect(first).toMatch(/One-time password: \S+/)
  const three = await run(operateCommand('first-day-people'), database)
  expect(['admin1 (admin)', 'secadmin1 (secadmin)', 'auditor1 (auditor)'].filter(one => !three.includes(one))).toEqual([])
})

test('the paper on data that must agree: the chain of the audit trail is walked', async () => {
  const { secrets, pools, clock, log } = t.app.services
  const sealer = createSealer({ pool: pools.kaopu_platform, key: secrets.auditKey, clock, log, heads: null, isTicking: false })
  await sealer.sealNow()
  await sealer.stop()
  const stdout = await run(operateCommand('invariants-audit-verify'))
  expect(stdout).toMatch(/\d+ audit lines verified, 0 wait for their seal\./)
})
