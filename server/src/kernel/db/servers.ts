import pg from 'pg'
import { isDatabaseUnavailable, NoPrimaryError } from './unavailable.ts'

/** A probe that has no answer by then counts as unreachable. */
const probeMs = 3_000

const several = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * The servers that `DATABASE_URL` names, each as a URL of its own, in their order: `postgresql://user:password@a:5432,b:5432/db` has two. A server
 * without a port has that of the last one, or 5432 (as libpq has it). `target_session_attrs` is dropped: this program always needs a server that
 * takes writes.
 *
 * @throws Error in plain words when the text is no such URL
 */
export const serversOf = (databaseUrl: string): readonly string[] => {
  const [, head = '', hosts = '', rest = ''] = several.exec(databaseUrl) ?? []
  const names = hosts.split(',')
  const lastPort = /:(\d+)$/.exec(names.at(-1) ?? '')?.[1]
  return names.map(name => {
    const isBare = names.length > 1 && lastPort !== undefined && !/:\d+$/.test(name)
    const text = `${head}${isBare ? `${name}:${lastPort}` : name}${rest}`
    if (!URL.canParse(text) || (names.length > 1 && name === ''))
      throw new Error(
        'DATABASE_URL is not of the form postgresql://user:password@host:5432/database; several servers stand before the slash, with commas between them: host1:5432,host2:5432.',
      )
    const url = new URL(text)
    url.searchParams.delete('target_session_attrs')
    return url.href
  })
}

/** Host and port for messages: no user, no password. */
export const placeOfServer = (url: string): string => {
  const { host, searchParams } = new URL(url)
  return searchParams.get('host') ?? host
}

/** What a server says of itself while a connection is made (PostgreSQL 14 and later). */
const isReadOnly = (said: ReadonlyMap<string, string>): boolean =>
  said.get('in_hot_standby') === 'on' || said.get('default_transaction_read_only') === 'on'

interface Status {
  readonly parameterName: string
  readonly parameterValue: string
}
const listen = (client: pg.Client): ReadonlyMap<string, string> => {
  const said = new Map<string, string>()
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: Status) => said.set(parameterName, parameterValue))
  return said
}

const noPrimary = (url: string): NoPrimaryError =>
  new NoPrimaryError(`the database at ${placeOfServer(url)} takes no writes: it is a standby`)

/** @returns the place in the list of the first server that answers and takes writes */
const probe = async (urls: readonly string[]): Promise<number> => {
  const ask = async (connectionString: string, at: number): Promise<number> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeMs, application_name: 'kaopu_probe' })
    client.on('error', () => {})
    const said = listen(client)
    try {
      await client.connect()
      if (isReadOnly(said)) throw noPrimary(connectionString)
      return at
    } finally {
      client.end().catch(() => {})
    }
  }
  try {
    return await Promise.any(urls.map(ask))
  } catch (error) {
    const reasons: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
    // A wrong password is no outage.
    const other = reasons.find(reason => !isDatabaseUnavailable(reason))
    if (other !== undefined) throw other
    const words = reasons.map(
      (reason, at) => `${placeOfServer(urls[at] ?? '')}: ${reason instanceof Error ? reason.message : String(reason)}`,
    )
    throw new NoPrimaryError(`no server of the database takes writes (${words.join('; ')})`, { cause: error })
  }
}

/** Finds the server that takes writes, for all connections of a process. */
export interface Locator {
  /** @returns its place in the list; asks the servers only where it is not known */
  readonly find: () => Promise<number>
  /** A connection to that server was refused or lost: it is looked for again. */
  readonly lose: (at: number) => void
  /** A connection that is cut when another server has become the primary. */
  readonly add: (client: pg.Client, at: number) => void
  /** Whether the last attempt to connect failed. */
  readonly isAway: () => boolean
  readonly tried: (hasWorked: boolean) => void
}

/** @param urls - one URL for each server, of any user who may log in */
export const createLocator = (urls: readonly string[]): Locator => {
  let known = urls.length === 1 ? 0 : undefined
  let looking: Promise<number> | undefined
  let isAway = false
  const live = new Map<pg.Client, number>()
  const look = async (): Promise<number> => {
    const found = await probe(urls)
    known = found
    for (const [client, at] of live) if (at !== found) client.connection.stream.destroy()
    return found
  }
  return {
    find: async () => {
      if (known !== undefined) return known
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    lose: at => {
      if (urls.length > 1 && known === at) known = undefined
    },
    add: (client, at) => {
      live.set(client, at)
      client.once('end', () => void live.delete(client))
    },
    isAway: () => isAway,
    tried: hasWorked => {
      isAway = !hasWorked
    },
  }
}

type Connected = (error: Error | null, client?: pg.Client) => void
/** A class of connections, as a pool makes them. */
export type ClientClass = new (config?: string | pg.ClientConfig) => pg.Client

/**
 * Connections to whichever of the servers takes writes. Which one that is is found out when it is not known: at the first connection, and after
 * one was refused, lost, or made to a standby. When another server has become the primary, connections to the former one are cut, in use or not: it
 * may be a machine that nobody reaches and that would never say so.
 *
 * @param urls - one URL for each server, of one user
 * @param settings - `set …` statements for each connection. Not options of its start, which poolers refuse.
 */
export const writableClients = (urls: readonly string[], locator: Locator, settings?: string): ClientClass =>
  class WritableClient extends pg.Client {
    readonly #said = listen(this)

    override connect(): Promise<pg.Client>
    override connect(done: Connected): void
    override connect(done?: Connected): Promise<pg.Client> | undefined {
      const connected = this.#open()
      if (done === undefined) return connected
      connected.then(
        client => done(null, client),
        (error: Error) => done(error),
      )
      return undefined
    }

    async #open(): Promise<pg.Client> {
      let at: number | undefined
      try {
        at = await locator.find()
        const url = urls[at] ?? ''
        if (urls.length > 1) this.#head(new URL(url))
        await super.connect()
        if (isReadOnly(this.#said)) throw noPrimary(url)
        if (settings !== undefined) await this.query(settings)
      } catch (error) {
        if (at !== undefined) locator.lose(at)
        locator.tried(false)
        // What is said to a connection that nobody has is no news.
        this.on('error', () => {})
        this.end().catch(() => {})
        throw error
      }
      const server = at
      locator.tried(true)
      locator.add(this, server)
      this.on('error', () => locator.lose(server))
      return this
    }

    /** The driver takes a server when a connection is made as an object, which is before it is known. */
    #head({ hostname, port, searchParams }: URL): void {
      const place = { host: searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) }
      Object.assign(this, place)
    }
  }
