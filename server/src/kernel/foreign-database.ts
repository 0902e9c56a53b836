import { Socket } from 'node:net'
import type * as Mysql from 'mysql2/promise'
import pg from 'pg'
import { lazily } from './lazy.ts'
import { checkedAddress, OutboundError } from './outbound.ts'

/** A database that is not this program's own. */
export interface ForeignSource {
  readonly kind: 'postgresql' | 'mysql'
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
}
export interface ForeignDatabase {
  readonly isEncrypted: boolean
  /** Rows of one reading statement; its values stand as `$1` or `?`, as the database has them. */
  readonly rows: <T>(text: string, values?: readonly unknown[]) => Promise<T[]>
}

/**
 * - `refused`: our own rule, nothing left this machine
 * - `unreachable`, `timeout`, `broken`: as of every way out
 * - `login`, `database`, `forbidden`: the server declined the account, does not know the database, or the account may not read this
 */
export type ForeignFailure = 'refused' | 'unreachable' | 'timeout' | 'broken' | 'login' | 'database' | 'forbidden'

/** Says nothing that the other side said: its words may repeat what was sent. */
export class ForeignError extends Error {
  readonly failure: ForeignFailure

  constructor(failure: ForeignFailure, options?: ErrorOptions) {
    super(`foreign database: ${failure}`, options)
    this.name = 'ForeignError'
    this.failure = failure
  }
}

/** From the look-up of the name to the end of the last statement. */
const usualLimitMs = 5_000
const statementMs = 4_000

const failures: ReadonlyMap<string, ForeignFailure> = new Map([
  ['28P01', 'login'],
  ['28000', 'login'],
  ['ER_ACCESS_DENIED_ERROR', 'login'],
  ['3D000', 'database'],
  ['ER_BAD_DB_ERROR', 'database'],
  ['ER_DBACCESS_DENIED_ERROR', 'database'],
  ['42501', 'forbidden'],
  ['ER_TABLEACCESS_DENIED_ERROR', 'forbidden'],
  ['57014', 'timeout'],
  ['ECONNREFUSED', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
])
const failureOf = (cause: unknown, isLate: boolean): ForeignError => {
  if (cause instanceof ForeignError) return cause
  if (isLate) return new ForeignError('timeout')
  if (cause instanceof OutboundError) return new ForeignError(cause.failure === 'refused' ? 'refused' : 'unreachable')
  const { code = '' } = cause as { code?: string }
  return new ForeignError(failures.get(code) ?? 'broken')
}

interface Open extends ForeignDatabase {
  readonly end: () => Promise<void>
}
type Opener = (source: ForeignSource, address: string, socket: Socket, isEncrypted: boolean) => Promise<Open>
/** The server has no TLS: the same once more without. */
class NoTls extends Error {}

const openPostgres: Opener = async (source, address, socket, isEncrypted) => {
  const client = new pg.Client({
    host: address,
    port: source.port,
    database: source.database,
    user: source.user,
    password: source.password,
    stream: () => socket,
    // Whoever listens is on the operator's list; a certificate that nobody here can check still keeps others from reading along.
    ssl: isEncrypted ? { rejectUnauthorized: false } : false,
    statement_timeout: statementMs,
    options: '-c default_transaction_read_only=on -c search_path=pg_catalog',
    application_name: 'kaopu',
  })
  client.on('error', () => undefined)
  // A server may ask for the password as it is, and the driver would send it: no server here is trusted that far.
  Object.assign(client, { _handleAuthCleartextPassword: () => socket.destroy(new ForeignError('broken')) })
  try {
    await client.connect()
  } catch (error) {
    throw /does not support SSL/.test((error as Error).message) ? new NoTls() : error
  }
  return {
    isEncrypted,
    rows: async <T>(text: string, values: readonly unknown[] = []) => (await client.query(text, [...values])).rows as T[],
    end: () => client.end(),
  }
}

const mysql2 = lazily<typeof Mysql>('mysql2/promise')
const openMysql: Opener = async (source, address, socket, isEncrypted) => {
  socket.connect(source.port, address)
  const connection = await mysql2()
    .createConnection({
      stream: socket,
      database: source.database,
      user: source.user,
      password: source.password,
      ...(isEncrypted ? { ssl: { rejectUnauthorized: false } } : {}),
      // What a server sends is never made into code, and no server is sent a file of this machine.
      disableEval: true,
      flags: ['-LOCAL_FILES'],
      dateStrings: true,
      connectTimeout: usualLimitMs,
    })
    .catch((error: { code?: string }) => {
      throw error.code === 'HANDSHAKE_NO_SSL_SUPPORT' ? new NoTls() : error
    })
  connection.on('error', () => undefined)
  await connection.query('set session transaction read only')
  return {
    isEncrypted,
    rows: async <T>(text: string, values: readonly unknown[] = []) =>
      (await connection.query({ sql: text, values: [...values] }))[0] as T[],
    end: () => connection.end(),
  }
}

export interface ForeignDatabases {
  /** `host:port` of each that the operator allows. */
  readonly allowed: readonly string[]
  /** Opens a source for reading, works with it and closes it. @throws ForeignError */
  readonly use: <T>(source: ForeignSource, work: (db: ForeignDatabase) => Promise<T>) => Promise<T>
}

/** The only way to databases that are not this program's own: listed by the operator, read-only, five seconds in all. */
export const createForeignDatabases = (allowed: readonly string[], limitMs = usualLimitMs): ForeignDatabases => {
  const listed = new Set(allowed.map(address => address.toLowerCase()))
  return {
    allowed,
    use: async (source, work) => {
      if (!listed.has(`${source.host.toLowerCase()}:${source.port}`)) throw new ForeignError('refused')
      const open = source.kind === 'postgresql' ? openPostgres : openMysql
      let socket: Socket | undefined
      let isLate = false
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          isLate = true
          socket?.destroy()
          reject(new ForeignError('timeout'))
        }, limitMs)
      })
      const attempt = async (isEncrypted: boolean): Promise<Awaited<ReturnType<typeof work>>> => {
        const address = await checkedAddress(source.host, true)
        // The deadline may have passed while the name was looked up.
        if (isLate) throw new ForeignError('timeout')
        socket = new Socket()
        socket.on('error', () => undefined)
        const db = await open(source, address, socket, isEncrypted)
        const result = await work(db)
        await db.end()
        return result
      }
      const run = async (): Promise<Awaited<ReturnType<typeof work>>> => {
        try {
          return await attempt(true)
        } catch (error) {
          if (!(error instanceof NoTls)) throw error
          socket?.destroy()
          return await attempt(false)
        }
      }
      try {
        return await Promise.race([run(), late])
      } catch (error) {
        throw failureOf(error, isLate)
      } finally {
        clearTimeout(timer)
        socket?.destroy()
      }
    },
  }
}
