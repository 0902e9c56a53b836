import { realpath } from 'node:fs/promises'
import pg from 'pg'
import { StartRefusal } from './embedded-binaries.ts'
import { isTransactionPooled, type Session } from './pooler.ts'

const connect = async (url: string, application: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: application })
  // A connection that breaks while nobody waits on it must not end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await connect(url, 'kaopu_start')
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether the server behind `url` answers and serves exactly this folder: a copied folder names the port of its original. */
export const serves = async (url: string, pgdata: string): Promise<boolean> => {
  try {
    return await withClient(url, async client => {
      const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
      return (await realpath(rows[0]?.folder ?? '')) === (await realpath(pgdata))
    })
  } catch {
    return false
  }
}

/** Creates the application's own database beside the maintenance database, once. @returns its url. */
export const ensureDatabase = async (adminUrl: string, name: string): Promise<string> => {
  await withClient(adminUrl, async client => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
        // duplicate_database: another starter was faster.
        if (error.code !== '42P04') throw error
      })
    }
  })
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Oldest PostgreSQL major that the migrations run on (decision 2.3). */
const oldestVersion = 150_000

const refuseTransactionPooler = async (url: string): Promise<void> => {
  const open = async (): Promise<Session> => {
    const client = await connect(url, 'kaopu_start')
    return { query: text => client.query<{ pid?: number }>(text), end: () => client.end() }
  }
  if (await isTransactionPooled(open))
    throw new StartRefusal(
      `DATABASE_URL leads to a pooler that gives a connection a server for one transaction at a time, as pgbouncer with pool_mode = transaction. Kaopu keeps prepared statements, locks and LISTEN in its connections and pools them itself. Name the database server in DATABASE_URL, or set pool_mode = session for this database.`,
    )
}

/** Refuses a server that is too old or may forget what it acknowledged (security 3.12). */
export const checkServer = async (url: string): Promise<void> => {
  const settings = await withClient(url, async client => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in ('server_version_num', 'fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding')`,
    )
    return Object.fromEntries(rows.map(row => [row.name, row.setting]))
  }).catch((error: Error) => {
    const { host } = new URL(url)
    throw new StartRefusal(`The database at ${host} cannot be reached: ${error.message}. Check DATABASE_URL and that the server runs.`)
  })
  if (Number(settings.server_version_num) < oldestVersion) {
    throw new StartRefusal(`The database server has version number ${settings.server_version_num}; Kaopu needs PostgreSQL 15 or later.`)
  }
  await refuseTransactionPooler(url)
  if (settings.server_encoding !== 'UTF8') {
    throw new StartRefusal(`The database is encoded in ${settings.server_encoding}; Kaopu needs a database created with encoding UTF8.`)
  }
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if (settings[name] === 'off')
      throw new StartRefusal(`The database server has ${name} = off and could lose acknowledged data. Switch it on.`)
  }
}

export interface Ownership {
  /** From now on a broken connection is expected; the lock ends with the server or with this process. */
  letGo(): void
}

/** Any constant will do; the database is not shared with other software. */
const ownerLock = 7_300_001

/**
 * Makes this process the only application on an embedded database: a session-level advisory lock that the server frees when the process dies,
 * however it dies, so no stale lock file can exist.
 * @param onLost called when the connection breaks; resolves when the server is back. The lock is then taken again.
 * @param onTaken called when another process holds it afterwards.
 * @returns undefined when another process holds it for longer than `waitMs`.
 */
export const takeOwnership = async (
  url: string,
  waitMs: number,
  onLost: () => Promise<void>,
  onTaken: (reason: string) => void,
): Promise<Ownership | undefined> => {
  let released = false
  const tryLock = async (patienceMs: number): Promise<boolean> => {
    const candidate = await connect(url, 'kaopu_owner_lock')
    for (const until = performance.now() + patienceMs; ; ) {
      const { rows } = await candidate.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [ownerLock])
      if (rows[0]?.held) break
      if (performance.now() >= until) {
        await candidate.end()
        return false
      }
      await new Promise(next => setTimeout(next, 100))
    }
    candidate.once('end', () => {
      if (released) return
      onLost()
        .then(() => tryLock(10_000))
        .then(held => held || released || onTaken('another Kaopu took over its database'))
        .catch((error: Error) => released || onTaken(error.message))
    })
    return true
  }
  if (!(await tryLock(waitMs))) return undefined
  return {
    letGo: () => {
      released = true
    },
  }
}
