import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { createDiskStore, keepRemovedFiles, listDiskFiles } from '#kernel/files/disk.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { readDataFiles } from '#server/backup-files.ts'
import { type BackedUp, installationToBackUp, treeOf } from '../support/backing-up.ts'
import { operateCommand } from '../support/operate-docs.ts'

let it: BackedUp
const backUp = () => it.operate(operateCommand('backup-take', { '/mnt/backup/kaopu': it.place }))
const makeKeys = () => it.operate(operateCommand('backup-keys', { '/media/first': it.keys[0], '/media/second': it.keys[1] }))
beforeAll(async () => {
  it = await installationToBackUp()
})
afterAll(() => it.close())

test('a backup is refused without two keys to seal it for; the command makes them, apart, and never over old ones', async () => {
  expect(await backUp()).toMatchObject({ code: 1, complained: expect.stringContaining('There are no keys to seal a backup for') })

  expect(await makeKeys()).toMatchObject({ code: 0 })

  const [one, two] = await Promise.all(it.keys.map(folder => readFile(join(folder, 'kaopu-backup-key.txt'), 'utf8')))
  const publicOf = (text = ''): string => /# public key: (age1\S+)/.exec(text)?.[1] ?? ''
  expect(one).toMatch(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/m)
  expect((await stat(join(it.keys[0], 'kaopu-backup-key.txt'))).mode & 0o777).toBe(0o600)
  expect((await readFile(join(it.dataDir, 'backup-recipients.txt'), 'utf8')).split('\n').slice(1, 3)).toEqual([
    publicOf(one),
    publicOf(two),
  ])
  expect(await makeKeys()).toMatchObject({ code: 1, complained: expect.stringContaining('are sealed for the keys in') })
})

test('the installation comes back from its backup: rows, files, secrets, heads of the audit; the start says so and it is held until released', async () => {
  const secrets = await loadSecrets({ dataDir: it.dataDir })
  const store = await createDiskStore({ folder: join(it.dataDir, 'files'), rootKey: secrets.fieldRootKey })
  const kept = await store.put(Buffer.from('身份证照片'), { maxBytes: 100 })
  const cipher = createFieldCipher({ rootKey: secrets.fieldRootKey, indexKey: secrets.blindIndexKey })
  const where = { table: 'account', column: 'phone_sealed', rowId: '7' }
  const sealed = cipher.seal('000000', where, '13800000000')
  await it.rows("insert into installation (key, value) values ('before-backup', '1')")
  await writeFile(join(it.dataDir, 'audit-anchor.json'), '[]\n')
  const secretsText = await readFile(join(it.dataDir, 'secrets.json'), 'utf8')

  const first = await backUp()
  expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/The backup \S+ is whole and was read back/) })
  expect((await treeOf(join(it.place, 'files'))).length).toBe(1)
  const later = await store.put(Buffer.from('第二份'), { maxBytes: 100 })
  const before = (await stat(join(it.place, 'files', (await treeOf(join(it.place, 'files')))[0] ?? ''))).mtimeMs
  const second = await backUp()
  expect(second.said).toContain('files: 2 looked at, 1 copied')
  expect(
    (await Promise.all((await treeOf(join(it.place, 'files'))).map(name => stat(join(it.place, 'files', name))))).map(one => one.mtimeMs),
  ).toContain(before)
  expect(await it.rows("select value->>'place' as place from installation where key = 'backup'")).toEqual([{ place: it.place }])
  await it.rows("insert into installation (key, value) values ('after-backup', '1')")
  // Nothing of what opens the rest can be read in the place.
  for (const name of await treeOf(it.place)) {
    const text = (await readFile(join(it.place, name))).toString('latin1')
    for (const secret of [JSON.parse(secretsText).fieldRootKey, JSON.parse(secretsText).databasePasswords.kaopu_owner])
      expect(text).not.toContain(secret)
  }
  expect(await it.operate(operateCommand('backup-check', { '/mnt/backup/kaopu': it.place, '/media/first': it.keys[0] }))).toMatchObject({
    code: 0,
    said: expect.stringMatching(/secrets: open;[\s\S]*database\.tar\.zst\.age: open;[\s\S]*is whole/),
  })

  const restoring = operateCommand('restore-bundled', { '/mnt/backup/kaopu': it.place, '/media/second': it.keys[1] })
  expect(await it.operate(restoring)).toMatchObject({
    code: 1,
    complained: expect.stringContaining(`The data folder ${it.dataDir} is not empty`),
  })
  await it.loseDisk()
  expect(await it.operate(restoring)).toMatchObject({ code: 0, said: expect.stringContaining('Restored in') })

  expect(await readFile(join(it.dataDir, 'secrets.json'), 'utf8')).toBe(secretsText)
  expect(await readFile(join(it.dataDir, 'audit-anchor.json'), 'utf8')).toBe('[]\n')
  await it.startDatabase()
  expect(await it.rows("select key from installation where key like '%-backup' order by 1")).toEqual([{ key: 'before-backup' }])
  const back = await createDiskStore({
    folder: join(it.dataDir, 'files'),
    rootKey: (await loadSecrets({ dataDir: it.dataDir })).fieldRootKey,
  })
  for (const [key, text] of [
    [kept.key, '身份证照片'],
    [later.key, '第二份'],
  ] as const) {
    const chunks: Buffer[] = []
    for await (const chunk of await back.open(key)) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe(text)
  }
  expect(cipher.open('000000', where, sealed)).toBe('13800000000')

  const { lines, stop } = await it.startProgram(17_930)
  expect(lines.join('\n')).toMatch(/^Restored from the backup \S+ \(data of .*\)\. Nothing is sent, no job runs/m)
  expect(await it.operate(operateCommand('restore-release'))).toMatchObject({ code: 0, said: expect.stringContaining('Released') })
  expect(await it.operate(operateCommand('restore-release'))).toMatchObject({
    code: 1,
    complained: expect.stringContaining('is not held back'),
  })
  await stop()
  await it.startDatabase()
  expect(
    await it.rows("select action from audit_log where action like 'installation.%' and action <> 'installation.made' order by id"),
  ).toMatchObject(expect.arrayContaining([{ action: 'installation.released' }]))
})

test('a file that is removed while a backup is taken is in it, and gone afterwards', async () => {
  const { fieldRootKey } = await loadSecrets({ dataDir: it.dataDir })
  const folder = join(it.dataDir, 'files')
  const store = await createDiskStore({ folder, rootKey: fieldRootKey })
  const { key } = await store.put(Buffer.from('gone soon'), { maxBytes: 100 })
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

test('the heads of the audit are copied after the journal of them, so that they are not behind it', async () => {
  const folder = join(it.home, 'heads')
  await mkdir(join(folder, 'audit-journal'), { recursive: true })
  await writeFile(join(folder, 'audit-anchor.json'), 'before')
  await writeFile(join(folder, 'audit-journal', 'heads-2026-03-01.jsonl'), '{}')
  const copied: [string, string][] = []
  for await (const { name, content } of readDataFiles(folder)) {
    copied.push([name, Buffer.from(content, 'base64').toString()])
    // The program goes on sealing.
    await writeFile(join(folder, 'audit-anchor.json'), 'after')
  }
  expect(copied).toEqual([
    ['audit-journal/heads-2026-03-01.jsonl', '{}'],
    ['audit-anchor.json', 'after'],
  ])
})
