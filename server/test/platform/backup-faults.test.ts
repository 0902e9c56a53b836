import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BackedUp, installationToBackUp, treeOf } from '../support/backing-up.ts'
import { operateCommand } from '../support/operate-docs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let it: BackedUp
const backUp = () => it.operate(operateCommand('backup-take', { '/mnt/backup/kaopu': it.place }))
const makeKeys = () => it.operate(operateCommand('backup-keys', { '/media/first': it.keys[0], '/media/second': it.keys[1] }))
beforeAll(async () => {
  it = await installationToBackUp()
  expect(await makeKeys()).toMatchObject({ code: 0 })
  expect(await backUp()).toMatchObject({ code: 0 })
})
afterAll(() => it.close())

test('what was changed in the place is found by the check and refused by the restore; a restore that broke off is refused by the start', async () => {
  const [name = ''] = (await treeOf(it.place)).filter(one => one.endsWith('/database.tar.zst.age')).slice(-1)
  const path = join(it.place, name)
  const whole = await readFile(path)
  const changed = Buffer.from(whole)
  changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1
  await writeFile(path, changed)
  const check = operateCommand('backup-check', { '/mnt/backup/kaopu': it.place, '/media/first': it.keys[0] })
  expect(await it.operate(check)).toMatchObject({ code: 1, complained: expect.stringContaining('was changed or damaged') })

  const elsewhere = join(it.home, 'elsewhere')
  const restored = await it.operate(operateCommand('restore-bundled', { '/mnt/backup/kaopu': it.place, '/media/second': it.keys[1] }), {
    KAOPU_DATA: elsewhere,
  })
  expect(restored).toMatchObject({ code: 1, complained: expect.stringMatching(/was changed/) })
  expect(await it.operate(`'${process.execPath}' server/src/main.mjs`, { KAOPU_DATA: elsewhere, PORT: '17931' })).toMatchObject({
    code: 1,
    complained: expect.stringContaining(`A restore into ${elsewhere} was not finished`),
  })
  await writeFile(path, whole)
  const manifest = join(it.place, name.replace('database.tar.zst.age', 'manifest.json'))
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace(/"migration": \d+/, '"migration": 1'))
  expect(await it.operate(check)).toMatchObject({ code: 1, complained: expect.stringContaining('was changed after the backup') })
  await writeFile(manifest, text)
})

test('a second backup beside a running one is refused; one that is cancelled leaves no backup and the next one works', async () => {
  const before = await readdir(join(it.place, 'backups'))
  const holder = new pg.Client({ connectionString: it.databaseUrl() })
  await holder.connect()
  await holder.query('select pg_advisory_lock(7203003)')
  expect(await backUp()).toMatchObject({
    code: 1,
    complained: expect.stringContaining('Another backup of this installation is running'),
  })
  await holder.end()

  const child = spawn(process.execPath, ['server/src/backup.ts', it.place], {
    cwd: root,
    env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: it.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Backup ')) break
  child.kill('SIGINT')
  let complained = ''
  child.stderr.on('data', chunk => {
    complained += chunk
  })
  expect((await once(child, 'exit'))[0]).toBe(1)
  expect(complained).toMatch(/Cancelled: there is no backup/)
  expect(await readdir(join(it.place, 'backups'))).toEqual(before)
  expect(await readdir(join(it.dataDir, 'files'))).not.toContain('removed')
  expect(await backUp()).toMatchObject({ code: 0 })
  expect(await it.operate(operateCommand('backup-prune', { '/mnt/backup/kaopu': it.place, 14: '1' }))).toMatchObject({ code: 0 })
  expect((await treeOf(join(it.place, 'backups'))).filter(name => name.endsWith('manifest.json'))).toHaveLength(1)
  expect(await readdir(join(it.place, 'backups'))).toHaveLength(1)
})

test('a role that sees only some rows is refused before anything is written', async () => {
  const before = await treeOf(it.place)
  const owner = new pg.Client({ connectionString: it.databaseUrl() })
  await owner.connect()
  await owner.query(`create role half_blind login password 'half-blind-1'`)
  await owner.end()
  const url = new URL(it.databaseUrl())
  const blind = new URL(url)
  blind.username = 'half_blind'
  blind.password = 'half-blind-1'
  const refused = await it.operate(operateCommand('backup-take', { '/mnt/backup/kaopu': it.place }), {
    DATABASE_URL: url.href,
    KAOPU_BACKUP_DATABASE_URL: blind.href,
  })
  expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining('The role half_blind is bound by row-level security') })
  expect([await treeOf(it.place), await readdir(join(it.place, 'backups'))]).toEqual([before, [expect.any(String)]])
})
