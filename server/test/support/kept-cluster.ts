import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { access, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrationsDigest } from '#kernel/db/migrate.ts'
import { seedDigest } from '../../seed/base/seed-digest.ts'

// Making a database server and running all migrations takes longer than the tests of a file. What comes out depends on few files, so it is kept
// beside the packages until one of them changes.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const shelf = join(root, 'node_modules', '.cache', 'kaopu-test')

/** What a prepared server depends on beside the migrations: how it is made, and the releases of the server and the queue. */
const makers = [
  'server/src/kernel/db/embedded.ts',
  'server/src/kernel/db/embedded-cluster.ts',
  'server/src/kernel/db/migrate.ts',
  'server/src/kernel/db/pool.ts',
  'server/src/kernel/db/roles.ts',
  'server/src/kernel/queue/worker.ts',
  'server/src/kernel/secrets.ts',
  'server/test/support/cluster.ts',
  'package-lock.json',
]

/** The same for what only the rows depend on, beside the seed itself. */
const seeders = ['server/test/support/ready-tenants.ts', 'server/src/modules/**/{package,param}.repo.ts'] as const

const digestOf = async (first: string, files: readonly string[]): Promise<string> => {
  const hash = createHash('sha256').update(first)
  for (const file of files) hash.update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** A kept server has every migration and no rows, or the rows of the seed too: these change more often and are made in less time. */
export type Kept = 'migrated' | 'seeded'

const nameOf = async (kept: Kept): Promise<string> => {
  const migrated = await digestOf(await migrationsDigest(), makers)
  if (kept === 'migrated') return migrated
  return `${migrated}-${await digestOf(seedDigest(), seeders.flatMap(pattern => globSync(pattern, { cwd: root })).sort())}`
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** With owners and modes: the database server may run as another user, who must own its folder. */
export const copyWhole = async (from: string, to: string): Promise<void> => {
  if (process.platform === 'win32') await cp(from, to, { recursive: true })
  else await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

/** Fills an empty data folder with the kept server. @returns false where none is kept, which leaves the folder empty */
export const copyKept = async (dataDir: string, kept: Kept): Promise<boolean> => {
  const folder = join(shelf, await nameOf(kept))
  if (!(await exists(folder))) return false
  await copyWhole(folder, dataDir)
  return true
}

/** Keeps the folder of a stopped server for later runs and drops those of former migrations. Two runs may do so at once. */
export const keep = async (dataDir: string, kept: Kept): Promise<void> => {
  // The server's files lie elsewhere where their own user could not reach this folder: a copy would not be whole.
  if (await exists(join(dataDir, 'cluster-path'))) return
  const name = await nameOf(kept)
  const current = [name, await nameOf('migrated')]
  await mkdir(shelf, { recursive: true })
  for (const former of await readdir(shelf))
    if (!current.includes(former) && !former.startsWith('draft-')) await rm(join(shelf, former), { recursive: true, force: true })
  const draft = await mkdtemp(join(shelf, 'draft-'))
  await copyWhole(dataDir, draft)
  // Each copy finds a port of its own.
  await rm(join(draft, 'postgres', 'port'), { force: true })
  // Somebody else was quicker: theirs is as good.
  await rename(draft, join(shelf, name)).catch(() => rm(draft, { recursive: true, force: true }))
}
