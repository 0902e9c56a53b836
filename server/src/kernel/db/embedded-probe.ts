import { realpath } from 'node:fs/promises'
import type pg from 'pg'
import { StartRefusal } from './embedded-binaries.ts'
import { isTransactionPooled, type Session } from './pooler.ts'
import { createLocator, placeOfServer, serversOf, writableClients } from './servers.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** To whichever of the servers takes writes. */
const connect = async (databaseUrl: string, application: string): Promise<pg.Client> => {
  const urls = serversOf(databaseUrl)
  const [connectionString] = urls
  const WritableClient = writableClients(urls, createLocator(urls))
  const client = new WritableClient({ connectionString, connectionTimeoutMillis: 5_000, application_name: application })
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

export interface Patience {
  /** Seconds for which a database that is not there, or has no primary, is waited for. */
  readonly seconds: number
  /** Told every few seconds what is waited for. */
  readonly onWait: (line: string) => void
  /** Ends the waiting early. */
  readonly isOver?: () => boolean
}
const waitedMs = 1_000
const saidEveryMs = 5_000

const pause = (ms: number): Promise<void> => new Promise(next => setTimeout(next, ms))

/** Asks until there is an answer that is no outage, or patience ends. */
const waitFor = async <T>(url: string, patience: Patience | undefined, ask: () => Promise<T>): Promise<T> => {
  const servers = (): string => serversOf(url).map(placeOfServer).join(', ')
  const began = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const waited = performance.now() - began
      const why = error instanceof Error ? error.message : String(error)
      if (!isDatabaseUnavailable(error) || patience === undefined || patience.isOver?.() || waited >= patience.seconds * 1_000)
        throw new StartRefusal(
          `The database at ${servers()} cannot be reached: ${why}. Check DATABASE_URL and that the server runs${
            isDatabaseUnavailable(error) && patience
              ? `; it was waited for ${Math.round(waited / 1_000)} s (KAOPU_DATABASE_WAIT_SECONDS)`
              : ''
          }.`,
        )
      if (performance.now() - saidAt >= saidEveryMs) {
        saidAt = performance.now()
        patience.onWait(`Waiting for the database at ${servers()} (${Math.round(waited / 1_000)} of at most ${patience.seconds} s): ${why}`)
      }
      await pause(Math.min(waitedMs, Math.max(0, patience.seconds * 1_000 - waited)))
    }
  }
}

/**
 * Refuses a server that is too old or may forget what it acknowledged (security 3.12).
 *
 * @throws StartRefusal also where no server that takes writes is there when patience ends; without patience at once
 */
export const checkServer = async (url: string, patience?: Patience): Promise<void> => {
  const settings = await waitFor(url, patience, () =>
    withClient(url, async client => {
      const { rows } = await client.query<{ name: string; setting: string }>(
        `select name, setting from pg_settings where name in ('server_version_num', 'fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding')`,
      )
      return Object.fromEntries(rows.map(row => [row.name, row.setting]))
    }),
  )
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
