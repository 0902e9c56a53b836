import pg from 'pg'
import type { Log } from '../log.ts'
import { createLocator, serversOf, writableClients } from './servers.ts'
import { NoPrimaryError } from './unavailable.ts'

// 64-bit integers and decimals stay text so that no digit is lost; instants become Date, calendar days stay text.
pg.types.setTypeParser(pg.types.builtins.INT8, text => text)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, text => text)
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

/**
 * Who logs in for somebody narrowed to departments or units: a member of the role behind it, with its rights and policies and those that narrow on
 * top (ADR 0062).
 */
export const narrowRoles = { kaopu_staff: 'kaopu_staff_narrow', kaopu_system: 'kaopu_system_narrow' } as const

/** Login roles of the application; each has its own policies and its own pool (decision 4.1). None owns a table. */
export const databaseRoles = [
  ...(['kaopu_staff', 'kaopu_candidate', 'kaopu_system', 'kaopu_platform', 'kaopu_worker'] as const),
  ...Object.values(narrowRoles),
] as const
export type DatabaseRole = (typeof databaseRoles)[number]
/** What a role is called in the database: its own prefix stands in the place of `kaopu` (`roles.ts`). */
export const roleName = (prefix: string, role: DatabaseRole): string => `${prefix}${role.slice('kaopu'.length)}`
/** Few of the staff, or hardly anything of the day. */
const quietRoles: ReadonlySet<DatabaseRole> = new Set(['kaopu_platform', 'kaopu_worker', ...Object.values(narrowRoles)])

/** Passwords of the roles that log in. */
export type RolePasswords = Readonly<Record<DatabaseRole, string>>

/** What the server says to a wrong password. */
const wrongPassword = '28P01'

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error | boolean) => void) => void
/** A pool that asks once for the present password where its own is refused: passwords are replaced while the program runs. */
class RenewedPool extends pg.Pool {
  readonly #renew: () => Promise<void>
  /** @param renew - sets the connection string of the pool anew where there are other passwords by now */
  constructor(config: pg.PoolConfig, renew: () => Promise<void>) {
    super(config)
    this.#renew = renew
  }

  override connect(): Promise<pg.PoolClient>
  override connect(done: Taken): void
  override connect(done?: Taken): Promise<pg.PoolClient> | undefined {
    const tried = this.options.connectionString
    const taken = super.connect().catch(async (error: Error & { readonly code?: string }) => {
      if (error.code !== wrongPassword) throw error
      await this.#renew()
      if (this.options.connectionString === tried) throw error
      return super.connect()
    })
    if (done === undefined) return taken
    taken.then(
      client => done(undefined, client, client.release),
      (error: Error) => done(error, undefined, () => {}),
    )
    return undefined
  }
}

export type Pools = { readonly [R in DatabaseRole]: pg.Pool } & {
  /**
   * A connection of the role's pool.
   *
   * @throws NoPrimaryError after ten seconds in which none could be made, where the last attempt failed; when all are busy the driver's own
   * "timeout exceeded when trying to connect"
   */
  readonly take: (role: DatabaseRole) => Promise<pg.PoolClient>
  readonly end: () => Promise<void>
  /** Passwords of the connections that are opened from now on; those that are open go on. */
  readonly renew: (passwords: RolePasswords) => void
}

export const urlFor = (databaseUrl: string, role: string, password: string): string => {
  const url = new URL(databaseUrl)
  url.username = role
  url.password = password
  return url.href
}

/** A lost connection must end in the log, not in an unhandled error. */
const watch = (pool: pg.Pool, role: string, log: Log): void => {
  // A pool that is closing reports ended before its sockets are closed: what the server says meanwhile is no news.
  const report = (error: Error, message: string): void => {
    if (!pool.ending) log.error({ role, err: error.message }, message)
  }
  pool.on('error', error => report(error, 'idle database connection lost'))
  pool.on('connect', client => {
    client.on('error', error => report(error, 'database connection lost'))
  })
}

/** Below these a role waits for itself: the queue holds two connections of its own for as long as it runs, the platform three. */
const fewest = 3

/** How many connections each role gets of those that a process may make; together no more than `total`, which is at least 24. */
export const connectionsOf = (total: number): Readonly<Record<DatabaseRole, number>> => {
  const quiet = Math.max(fewest, Math.floor(total / 10))
  const busy = Math.max(fewest, Math.floor((total - quiet * quietRoles.size) / (databaseRoles.length - quietRoles.size)))
  return Object.fromEntries(databaseRoles.map(role => [role, quietRoles.has(role) ? quiet : busy])) as Record<DatabaseRole, number>
}
export const usualConnections = 50

/** A statement or lock that hangs must not take the pool with it (security 3.10). Milliseconds. */
const connectionSettings =
  "set statement_timeout = 15000; set lock_timeout = 5000; set idle_in_transaction_session_timeout = 30000; set timezone = 'UTC'"

/**
 * @param total - connections of this process, of all roles together
 * @param prefix - what the names of the database's roles begin with
 * @param readPasswords - asked when the server refuses one: they may have been replaced
 */
export const openPools = (
  databaseUrl: string,
  passwords: RolePasswords,
  log: Log,
  total = usualConnections,
  prefix = 'kaopu',
  readPasswords?: () => Promise<RolePasswords | undefined>,
): Pools => {
  const sizes = connectionsOf(total)
  const servers = serversOf(databaseUrl)
  const urls = Object.fromEntries(
    databaseRoles.map(role => [role, servers.map(server => urlFor(server, roleName(prefix, role), passwords[role]))]),
  ) as Record<DatabaseRole, string[]>
  const locator = createLocator(urls.kaopu_platform)
  const open = (role: DatabaseRole): pg.Pool => {
    const pool = new RenewedPool(
      {
        connectionString: urls[role][0],
        Client: writableClients(urls[role], locator, connectionSettings),
        max: sizes[role],
        idleTimeoutMillis: 60_000,
        connectionTimeoutMillis: 10_000,
        application_name: role,
        // Statements that do not wait for each other share a batch; the queue's own library is left as its authors test it.
        pipeline: role !== 'kaopu_worker',
      },
      reread,
    )
    watch(pool, role, log)
    return pool
  }
  let present = passwords
  const renew = (next: RolePasswords): void => {
    present = next
    for (const role of databaseRoles) {
      const fresh = servers.map(server => urlFor(server, roleName(prefix, role), next[role]))
      // In place: the connections to come and the look for the primary read these lists.
      urls[role].splice(0, urls[role].length, ...fresh)
      Object.assign(pools[role].options, { connectionString: fresh[0] })
    }
  }
  const reread = async (): Promise<void> => {
    const read = await readPasswords?.()
    if (read !== undefined && databaseRoles.some(role => read[role] !== present[role])) renew(read)
  }
  const pools = Object.fromEntries(databaseRoles.map(role => [role, open(role)])) as Record<DatabaseRole, pg.Pool>
  return {
    ...pools,
    take: role =>
      pools[role].connect().catch((error: Error) => {
        const isWaitOver = error.message.startsWith('timeout exceeded when trying to connect')
        throw isWaitOver && locator.isAway() ? new NoPrimaryError('no connection to the database could be made', { cause: error }) : error
      }),
    renew,
    end: async () => void (await Promise.all(databaseRoles.map(role => pools[role].end()))),
  }
}

/** A pool for the owner: migrations and first start only. */
export const openOwnerPool = (databaseUrl: string, log: Log): pg.Pool => {
  const urls = serversOf(databaseUrl)
  const pool = new pg.Pool({
    connectionString: urls[0],
    Client: writableClients(urls, createLocator(urls)),
    max: 2,
    application_name: 'kaopu_owner',
  })
  watch(pool, 'owner', log)
  return pool
}
export type { Pool, PoolClient } from 'pg'
