import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedDatabase, startEmbedded } from '#kernel/db/embedded.ts'
import { createLog } from '#kernel/log.ts'
import { copyKept } from './kept-cluster.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const log = createLog('silent')

export interface Outcome {
  readonly code: number
  readonly said: string
  readonly complained: string
}
export interface BackedUp {
  readonly home: string
  readonly dataDir: string
  /** Where its backups go. */
  readonly place: string
  /** Folders of the two private keys. */
  readonly keys: readonly [string, string]
  /** An operator's commands, as a paper prints them. */
  readonly operate: (text: string, env?: Readonly<Record<string, string>>) => Promise<Outcome>
  /** Its database is up from now on, until the program starts or the disk is lost. */
  readonly startDatabase: () => Promise<void>
  readonly databaseUrl: () => string
  readonly rows: <R extends object>(text: string) => Promise<R[]>
  /** The data folder and its database server are gone, as with their disk. */
  readonly loseDisk: () => Promise<void>
  /** Starts the program itself. @returns what it said until it was ready */
  readonly startProgram: (port: number) => Promise<{ readonly lines: readonly string[]; readonly stop: () => Promise<void> }>
  readonly close: () => Promise<void>
}

/** Names of all files below a folder. */
export const treeOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** An installation with the bundled database in a folder of its own, and a place for its backups. */
export const installationToBackUp = async (): Promise<BackedUp> => {
  const home = await mkdtemp(join(tmpdir(), 'kaopu-backup-'))
  await chmod(home, 0o755)
  const dataDir = join(home, 'data')
  const place = join(home, 'place')
  const keys = [join(home, 'first'), join(home, 'second')] as const
  for (const folder of [dataDir, ...keys]) await mkdir(folder)
  await chmod(dataDir, 0o755)
  if (!(await copyKept(dataDir, 'seeded'))) throw new Error('the tests run on another server: there is no bundled database to copy')
  let database: EmbeddedDatabase | undefined
  const startDatabase = async (): Promise<void> => {
    database = await startEmbedded({ dataDir, log })
  }
  await startDatabase()
  const environment = { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir }
  const operate = (text: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
    new Promise(done => {
      execFile('bash', ['--norc', '-e', '-c', text], { cwd: root, env: { ...environment, ...env } }, (error, said, complained) =>
        done({ code: error === null ? 0 : Number(error.code ?? -1), said, complained }),
      )
    })
  const databaseUrl = (): string => {
    const url = new URL(database?.url ?? '')
    url.pathname = '/kaopu'
    return url.href
  }
  return {
    ...{ home, dataDir, place, keys, operate, startDatabase, databaseUrl },
    rows: async <R extends object>(text: string) => {
      const client = new pg.Client({ connectionString: databaseUrl() })
      await client.connect()
      try {
        return (await client.query<R>(text)).rows
      } finally {
        await client.end()
      }
    },
    loseDisk: async () => {
      const [pid] = (await readFile(join(dataDir, 'postgres/pgdata/postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      database = undefined
      await rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 })
    },
    startProgram: async port => {
      await database?.stop()
      database = undefined
      const child: ChildProcess = spawn(process.execPath, ['server/src/main.mjs'], {
        cwd: root,
        env: { ...environment, PORT: String(port), KAOPU_LOG_LEVEL: 'error' },
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
    },
    close: async () => {
      await database?.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
