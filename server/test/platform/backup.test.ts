import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { type EmbeddedDatabase, startEmbedded } from '#kernel/db/embedded.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { copyKept } from '../support/kept-cluster.ts'
import { operateCommand } from '../support/operate-docs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const log = createLog('silent')
let home: string
let dataDir: string
let place: string
let keys: readonly [string, string]
let database: EmbeddedDatabase | undefined

/** An operator's commands, as a paper prints them, on the installation of this test. */
const operate = (text: string, env: Readonly<Record<string, string>> = {}): Promise<{ code: number; said: string; complained: string }> =>
  new Promise(done => {
    execFile(
      'bash',
      ['-e', '-c', text],
      {
        cwd: root,
        env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, npm_config_update_notifier: 'false', ...env },
      },
      (error, said, complained) => done({ code: error === null ? 0 : Number(error.code ?? -1), said, complained }),
    )
  })
const backUp = () => operate(operateCommand('backup-take', { '/mnt/backup/kaopu': place }))
const rows = async <R extends object>(text: string): Promise<R[]> => {
  const url = new URL(database?.url ?? '')
  url.pathname = '/kaopu'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}
/** The data folder and its database server are gone, as with their disk. */
const loseDisk = async (): Promise<void> => {
  const [pid] = (await readFile(join(dataDir, 'postgres/pgdata/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  database = undefined
  await rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 })
}
const treeOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'kaopu-backup-'))
  await chmod(home, 0o755)
  dataDir = join(home, 'data')
  place = join(home, 'place')
  keys = [join(home, 'first'), join(home, 'second')]
  for (const folder of [dataDir, ...keys]) await mkdir(folder)
  await chmod(dataDir, 0o755)
  expect(await copyKept(dataDir, 'seeded')).toBe(true)
  database = await startEmbedded({ dataDir, log })
})
afterAll(async () => {
  await database?.stop()
  await rm(home, { recursive: true, force: true })
})

test('a backup is refused without two keys to seal it for; the command makes them, apart, and never over old ones', async () => {
  expect(await backUp()).toMatchObject({ code: 1, complained: expect.stringContaining('There are no keys to seal a backup for') })

  const command = operateCommand('backup-keys', { '/media/first': keys[0], '/media/second': keys[1] })
  expect(await operate(command)).toMatchObject({ code: 0 })

  const [one, two] = await Promise.all(keys.map(folder => readFile(join(folder, 'kaopu-backup-key.txt'), 'utf8')))
  const publicOf = (text = ''): string => /# public key: (age1\S+)/.exec(text)?.[1] ?? ''
  expect(one).toMatch(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/m)
  expect((await stat(join(keys[0], 'kaopu-backup-key.txt'))).mode & 0o777).toBe(0o600)
  expect((await readFile(join(dataDir, 'backup-recipients.txt'), 'utf8')).split('\n').slice(1, 3)).toEqual([publicOf(one), publicOf(two)])
  expect(await operate(command)).toMatchObject({ code: 1, complained: expect.stringContaining('are sealed for the keys in') })
})

test('the installation comes back from its backup: rows, files, secrets, heads of the audit; the start says so and it is held until released', async () => {
  const secrets = await loadSecrets({ dataDir })
  const store = await createDiskStore({ folder: join(dataDir, 'files'), rootKey: secrets.fieldRootKey })
  const kept = await store.put(Buffer.from('身份证照片'), { maxBytes: 100 })
  const cipher = createFieldCipher({ rootKey: secrets.fieldRootKey, indexKey: secrets.blindIndexKey })
  const where = { table: 'account', column: 'phone_sealed', rowId: '7' }
  const sealed = cipher.seal('000000', where, '13800000000')
  await rows("insert into installation (key, value) values ('before-backup', '1')")
  await writeFile(join(dataDir, 'audit-anchor.json'), '[]\n')
  const secretsText = await readFile(join(dataDir, 'secrets.json'), 'utf8')

  const first = await backUp()
  expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/The backup \S+ is whole and was read back/) })
  expect((await treeOf(join(place, 'files'))).length).toBe(1)
  const later = await store.put(Buffer.from('第二份'), { maxBytes: 100 })
  const before = (await stat(join(place, 'files', (await treeOf(join(place, 'files')))[0] ?? ''))).mtimeMs
  const second = await backUp()
  expect(second.said).toContain('files: 2 looked at, 1 copied')
  expect(
    (await Promise.all((await treeOf(join(place, 'files'))).map(name => stat(join(place, 'files', name))))).map(one => one.mtimeMs),
  ).toContain(before)
  expect(await rows("select value->>'place' as place from installation where key = 'backup'")).toEqual([{ place }])
  await rows("insert into installation (key, value) values ('after-backup', '1')")
  // Nothing of what opens the rest can be read in the place.
  for (const name of await treeOf(place)) {
    const text = (await readFile(join(place, name))).toString('latin1')
    for (const secret of [JSON.parse(secretsText).fieldRootKey, JSON.parse(secretsText).databasePasswords.kaopu_owner])
      expect(text).not.toContain(secret)
  }
  expect(await operate(operateCommand('backup-check', { '/mnt/backup/kaopu': place, '/media/first': keys[0] }))).toMatchObject({
    code: 0,
    said: expect.stringMatching(/secrets: open;[\s\S]*database\.tar\.zst\.age: open;[\s\S]*is whole/),
  })

  const restoring = operateCommand('restore-bundled', { '/mnt/backup/kaopu': place, '/media/second': keys[1] })
  expect(await operate(restoring)).toMatchObject({
    code: 1,
    complained: expect.stringContaining(`The data folder ${dataDir} is not empty`),
  })
  await loseDisk()
  expect(await operate(restoring)).toMatchObject({ code: 0, said: expect.stringContaining('Restored in') })

  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(secretsText)
  expect(await readFile(join(dataDir, 'audit-anchor.json'), 'utf8')).toBe('[]\n')
  database = await startEmbedded({ dataDir, log })
  expect(await rows("select key from installation where key like '%-backup' order by 1")).toEqual([{ key: 'before-backup' }])
  const back = await createDiskStore({ folder: join(dataDir, 'files'), rootKey: (await loadSecrets({ dataDir })).fieldRootKey })
  for (const [key, text] of [
    [kept.key, '身份证照片'],
    [later.key, '第二份'],
  ] as const) {
    const chunks: Buffer[] = []
    for await (const chunk of await back.open(key)) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe(text)
  }
  expect(cipher.open('000000', where, sealed)).toBe('13800000000')

  const { lines, stop } = await startProgram()
  expect(lines.join('\n')).toMatch(/^Restored from the backup \S+ \(data of .*\)\. Nothing is sent, no job runs/m)
  expect(await operate(operateCommand('restore-release'))).toMatchObject({ code: 0, said: expect.stringContaining('Released') })
  expect(await operate(operateCommand('restore-release'))).toMatchObject({
    code: 1,
    complained: expect.stringContaining('is not held back'),
  })
  await stop()
  database = await startEmbedded({ dataDir, log })
  expect(
    await rows("select action from audit_log where action like 'installation.%' and action <> 'installation.made' order by id"),
  ).toMatchObject(expect.arrayContaining([{ action: 'installation.released' }]))
})

const startProgram = async (): Promise<{ lines: readonly string[]; stop: () => Promise<void> }> => {
  await database?.stop()
  database = undefined
  const child: ChildProcess = spawn(process.execPath, ['server/src/main.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, PORT: '17930', KAOPU_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    lines.push(line)
    if (line.startsWith('Kaopu is ready at ')) break
  }
  return {
    lines,
    stop: async () => {
      child.kill('SIGINT')
      await once(child, 'exit')
    },
  }
}

test('a file that is removed while a backup is taken is in it, and gone afterwards', async () => {
  const { fieldRootKey } = await loadSecrets({ dataDir })
  const folder = join(dataDir, 'files')
  const store = await createDiskStore({ folder, rootKey: fieldRootKey })
  const { key } = await store.put(Buffer.from('gone soon'), { maxBytes: 100 })
  const { keepRemovedFiles, listDiskFiles } = await import('#kernel/files/disk.ts')
  const end = await keepRemovedFiles(folder)
  await store.remove(key)
  const names: string[] = []
  for await (const { name, paths } of listDiskFiles(folder)) {
    names.push(name)
    expect(await Promise.any(paths.map(path => stat(path)))).toBeDefined()
  }
  const hex = Buffer.from(key, 'base64url').toString('hex')
  expect(names.filter(name => name.endsWith(`/${hex}.kpf`))).toHaveLength(1)
  await expect(store.open(key)).rejects.toMatchObject({ name: 'FileMissingError' })
  await end()
  expect((await treeOf(folder)).filter(name => name.includes(hex))).toEqual([])
})

test('what was changed in the place is found by the check and refused by the restore; a restore that broke off is refused by the start', async () => {
  const [name = ''] = (await treeOf(place)).filter(one => one.endsWith('/database.tar.zst.age')).slice(-1)
  const path = join(place, name)
  const whole = await readFile(path)
  const changed = Buffer.from(whole)
  changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1
  await writeFile(path, changed)
  const check = operateCommand('backup-check', { '/mnt/backup/kaopu': place, '/media/first': keys[0] })
  expect(await operate(check)).toMatchObject({ code: 1, complained: expect.stringContaining('was changed or damaged') })

  const elsewhere = join(home, 'elsewhere')
  const restored = await operate(operateCommand('restore-bundled', { '/mnt/backup/kaopu': place, '/media/second': keys[1] }), {
    KAOPU_DATA: elsewhere,
  })
  expect(restored).toMatchObject({ code: 1, complained: expect.stringMatching(/was changed/) })
  expect(await operate(`'${process.execPath}' server/src/main.mjs`, { KAOPU_DATA: elsewhere, PORT: '17931' })).toMatchObject({
    code: 1,
    complained: expect.stringContaining(`A restore into ${elsewhere} was not finished`),
  })
  await writeFile(path, whole)
  const manifest = join(place, name.replace('database.tar.zst.age', 'manifest.json'))
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace(/"migration": \d+/, '"migration": 1'))
  expect(await operate(check)).toMatchObject({ code: 1, complained: expect.stringContaining('was changed after the backup') })
  await writeFile(manifest, text)
})

test('a second backup beside a running one is refused; one that is cancelled leaves no backup and the next one works', async () => {
  const before = await treeOf(join(place, 'backups'))
  const url = new URL(database?.url ?? '')
  url.pathname = '/kaopu'
  const holder = new pg.Client({ connectionString: url.href })
  await holder.connect()
  await holder.query('select pg_advisory_lock(7203003)')
  expect(await backUp()).toMatchObject({ code: 1, complained: expect.stringContaining('Another backup of this installation is running') })
  await holder.end()

  const child = spawn(process.execPath, ['server/src/backup.ts', place], {
    cwd: root,
    env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir },
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
  expect(await treeOf(join(place, 'backups'))).toEqual(before)
  expect(await readdir(join(dataDir, 'files'))).not.toContain('removed')
  expect(await backUp()).toMatchObject({ code: 0 })
  expect(await operate(operateCommand('backup-prune', { '/mnt/backup/kaopu': place, 14: '1' }))).toMatchObject({ code: 0 })
  expect((await treeOf(join(place, 'backups'))).filter(name => name.endsWith('manifest.json'))).toHaveLength(1)
})
