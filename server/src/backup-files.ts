import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { anchorPath } from '#kernel/audit-chain/anchor.ts'
import type { BackupKey } from '#kernel/backup/seal.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'

/** What another part of a backup has, what is made again, and what belongs to a running program. */
const elsewhere = (name: string): boolean =>
  ['postgres', 'cluster-path', 'files', 'secrets.json', 'running.json'].includes(name) || /^postgresql-|\.new-|\.part$/.test(name)

/** A small file of the data folder. */
export interface DataFile {
  /** Below the data folder, with slashes. */
  readonly name: string
  readonly mode: number
  /** Base64. */
  readonly content: string
}

/** The anchors come last: the program writes them before the journal, and anchors that the journal is ahead of look like an old copy. */
const isLast = (name: string): boolean => name === basename(anchorPath(''))
const inOrder = (one: string, other: string): number => Number(isLast(one)) - Number(isLast(other)) || (one < other ? -1 : 1)

/** Whatever else lies in the data folder: heads and journal of the audit, accounts of the demo, keys that backups are sealed for. One at a time. */
export async function* readDataFiles(dataDir: string, below = ''): AsyncGenerator<DataFile> {
  const entries = await readdir(join(dataDir, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => inOrder(a.name, b.name))) {
    if (below === '' && elsewhere(entry.name)) continue
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* readDataFiles(dataDir, name)
    else if (entry.isFile()) {
      const path = join(dataDir, name)
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? undefined : Promise.reject(error),
      )
      if (bytes !== undefined) yield { name, mode: (await stat(path)).mode & 0o777, content: bytes.toString('base64') }
    }
  }
}

/** All that opens an installation, sealed apart from what it opens. */
export interface SecretsPart {
  /** The secrets file, as it is. */
  readonly secretsFile: string
  /** Of the bundled server's superuser; null for a server of one's own. */
  readonly clusterPassword: string | null
  /** Environment variables of the installation. */
  readonly settings: Readonly<Record<string, string>>
  /** The file of `KAOPU_LOGIN_PROVIDERS`; null where there is none. */
  readonly loginProviders: string | null
}

/** Writes a private key to a new file that only its owner may read. @throws StartRefusal where there is one already */
export const writeKeyFile = async (folder: string, key: BackupKey, at: Date): Promise<string> => {
  const path = join(folder, 'kaopu-backup-key.txt')
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new StartRefusal(`There is a key in ${path} already. Backups made for it need it: choose another folder.`)
    throw error.code === 'ENOENT' ? new StartRefusal(`The folder ${folder} does not exist.`) : error
  })
  await file.writeFile(`# created: ${at.toISOString()}\n# public key: ${key.recipient}\n${key.identity}\n`)
  await file.sync()
  await file.close()
  return path
}
