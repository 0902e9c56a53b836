// How long a backup and its restore take, and how large they are, by the commands of docs/operate.
// `node bench/backups.ts [rows] [files]`: 100,000 sign-ups and 1,000 files of 300 KB where nothing is said
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDiskStore } from '#kernel/files/disk.ts'
import { randomBytes } from '#kernel/random.ts'
import { createDatabase, startCluster } from './cluster.ts'
import { seedWorld } from './seed.ts'

const rows = Number(process.argv[2] ?? 100_000)
const files = Number(process.argv[3] ?? 1_000)
const fileBytes = 300_000
const root = fileURLToPath(new URL('..', import.meta.url))

const cluster = await startCluster()
const home = await mkdtemp(join(tmpdir(), 'kaopu-bench-backup-'))
const place = join(home, 'place')
const run = (dataDir: string, program: string, ...args: readonly string[]): Promise<number> =>
  new Promise((done, fail) => {
    const began = performance.now()
    const env = { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir }
    execFile(process.execPath, [join(root, 'server/src', program), ...args], { cwd: root, env }, (error, said, complained) =>
      error === null ? done((performance.now() - began) / 1_000) : fail(new Error(`${said}${complained}`)),
    )
  })
const bytesOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(entries.filter(one => one.isFile()).map(async one => (await stat(join(one.parentPath, one.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
const seconds = (value: number): string => `${value.toFixed(1)} s`

try {
  const database = await createDatabase(cluster, 'kaopu')
  await seedWorld(cluster, database, { rows, sample: 100, newcomers: 10 })
  await database.owner.query('checkpoint')
  const size = await database.owner.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  await database.close()
  const store = await createDiskStore({ folder: join(cluster.dataDir, 'files'), rootKey: cluster.secrets.fieldRootKey })
  for (let i = 0; i < files; i += 1) await store.put(randomBytes(fileBytes), { maxBytes: fileBytes })
  for (const name of ['one', 'two']) await mkdir(join(home, name))
  await run(cluster.dataDir, 'backup.ts', 'keys', join(home, 'one'), join(home, 'two'))
  const first = await run(cluster.dataDir, 'backup.ts', place)
  const written = await bytesOf(place)
  const second = await run(cluster.dataDir, 'backup.ts', place)
  const again = (await bytesOf(place)) - written
  const restored = await run(join(home, 'restored'), 'restore.ts', place, '--key', join(home, 'one', 'kaopu-backup-key.txt'))
  console.log(
    `${rows.toLocaleString('en')} sign-ups, database ${megabytes(Number(size.rows[0]?.bytes))}, ${files} files of ${megabytes(files * fileBytes)}: first backup ${seconds(first)}, ${megabytes(written)}; the next one ${seconds(second)}, ${megabytes(again)}; restore ${seconds(restored)}`,
  )
} finally {
  await cluster.stop()
  await rm(home, { recursive: true, force: true })
}
