import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets, parseSecrets } from './secrets.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), '密钥 '))
})
afterEach(() => rm(dataDir, { recursive: true }))

const path = (): string => join(dataDir, 'secrets.json')
const change = (text: string, edit: (stored: Record<string, unknown>) => void): string => {
  const stored = JSON.parse(text) as Record<string, unknown>
  edit(stored)
  return JSON.stringify(stored)
}

test('secrets › are made once, whole, for the owner only', async () => {
  const made = await loadSecrets({ dataDir })

  expect(await loadSecrets({ dataDir })).toEqual(made)
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
  expect(made.fieldRootKey).toHaveLength(32)
  expect(made.login.publicKey).toMatch(/^04[0-9a-f]{128}$/)
  expect(Object.keys(made.databasePasswords).sort()).toEqual([
    'kaopu_candidate',
    'kaopu_owner',
    'kaopu_platform',
    'kaopu_staff',
    'kaopu_staff_narrow',
    'kaopu_system',
    'kaopu_system_narrow',
    'kaopu_worker',
  ])
})

test('secrets › two first starts at the same moment agree', async () => {
  const [one, two] = await Promise.all([loadSecrets({ dataDir }), loadSecrets({ dataDir })])

  expect(one).toEqual(two)
})

test('secrets › two installations share none', async () => {
  const one = JSON.stringify(await loadSecrets({ dataDir }))
  const two = JSON.stringify(await loadSecrets({ dataDir: join(dataDir, 'second') }))

  const values = (text: string): Set<string> => new Set(text.match(/"[\w-]{32,}"/g))
  expect(values(one).intersection(values(two)).size).toBe(0)
})

test.each([0o640, 0o604])('secrets › refuses a file of mode %o', async mode => {
  await loadSecrets({ dataDir })
  await chmod(path(), mode)

  await expect(loadSecrets({ dataDir })).rejects.toThrow(`can be read by other users. Run: chmod 600 "${path()}"`)
})

test.each(['postgres', 'cluster-path', 'demo-accounts.json'])(
  'secrets › are not made anew where %s shows that data exists',
  async trace => {
    await mkdir(join(dataDir, trace))

    await expect(loadSecrets({ dataDir })).rejects.toThrow('is missing although the data folder is in use')
    expect(await readdir(dataDir)).toEqual([trace])
  },
)

test('secrets › come from the file the operator names, which must exist', async () => {
  await loadSecrets({ dataDir })
  const file = join(dataDir, 'mounted.json')
  await expect(loadSecrets({ dataDir, file })).rejects.toThrow('named by KAOPU_SECRETS_FILE does not exist')

  await writeFile(file, await readFile(path()), { mode: 0o600 })

  expect(await loadSecrets({ dataDir: join(dataDir, 'none'), file })).toEqual(await loadSecrets({ dataDir }))
})

test.each<[string, (stored: Record<string, unknown>) => void, string]>([
  ['a missing key', stored => delete stored.auditKey, 'has no auditKey'],
  [
    'a short key',
    stored => Object.assign(stored, { tokenKey: Buffer.alloc(16, 'aB3dE5gH7').toString('base64url') }),
    'has a weak tokenKey',
  ],
  ['a dull key', stored => Object.assign(stored, { tokenKey: Buffer.alloc(32).toString('base64url') }), 'has a weak tokenKey'],
  ['a word', stored => Object.assign(stored, { tokenKey: 'change me!' }), 'has a malformed tokenKey'],
  ['equal keys', stored => Object.assign(stored, { auditKey: stored.tokenKey }), 'uses one value for both tokenKey and auditKey'],
  ['a missing role password', stored => Object.assign(stored, { databasePasswords: {} }), 'has no kaopu_owner'],
  [
    'halves of two login key pairs',
    stored =>
      Object.assign(stored, { login: { ...(stored.login as object), privateKey: '1f'.concat('23456789abcdef0'.repeat(5).slice(0, 62)) } }),
    'has a login key pair whose halves do not belong together',
  ],
])('secrets › refuses %s and never shows a value', async (_, edit, message) => {
  await loadSecrets({ dataDir })
  const text = change(await readFile(path(), 'utf8'), edit)

  const refusal = (() => {
    try {
      return parseSecrets('secrets.json', text)
    } catch (error) {
      return String(error)
    }
  })()
  expect(refusal).toBe(
    `StartRefusal: The secrets file secrets.json ${message}. Restore it from the backup; with other keys the stored data cannot be read.`,
  )
})

test('secrets › refuses a file that is not JSON', () => {
  expect(() => parseSecrets('secrets.json', '')).toThrow('is not valid JSON')
})
