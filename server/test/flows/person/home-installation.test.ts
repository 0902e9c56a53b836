import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBackup } from '#kernel/backup/last-backup.ts'
import { putOnHold } from '#kernel/hold.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const home = async (person: Person) => (await person.get('/me/home')).body.data.installation

test('the first page of the platform’s administrators says how old the last good backup is, warns of an old one, and that nothing is sent after a restore', async () => {
  const admin = await t.platform().staff('admin')
  const others = [await t.platform().staff('exam_admin'), await (await t.tenant()).staff('admin')]
  const owner = await t.owner()
  const query = (text: string, values?: readonly unknown[]) => owner.query(text, values as unknown[])
  expect(await home(admin)).toEqual({ backupTime: null, isBackupOld: false, backupMaxHours: 26, restoredTime: null })

  const at = (hoursAgo: number): string => new Date(t.clock.now().getTime() - hoursAgo * 3_600_000).toISOString()
  const backup = { id: 'x', place: '/srv', writtenBytes: 1, wholeBytes: 1, durationMs: 1 }
  await recordBackup(query, { ...backup, takenAt: at(26) })
  expect(await home(admin)).toMatchObject({ backupTime: expect.any(String), isBackupOld: false })
  await recordBackup(query, { ...backup, takenAt: at(27) })
  await putOnHold(query, { backup: 'x', takenAt: at(27), restoredAt: at(0) })
  const shown = await home(admin)
  expect(shown).toEqual({
    backupTime: shown.restoredTime,
    isBackupOld: true,
    backupMaxHours: 26,
    restoredTime: expect.stringMatching(/^\d{4}-/),
  })
  for (const other of others) expect(await home(other)).toBeNull()
})
