import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import { shareReads } from '#kernel/shared-reads.ts'
import type { Services } from '#server/services.ts'
import { type ClientRow, findClient } from './data/client.repo.ts'

/** A program that has proven to be itself. */
export interface Client {
  readonly id: string
  readonly grants: ReadonlySet<string>
  readonly accessMs: number
  readonly refreshMs: number
  /** Where a provider may send people back to; empty for every page of the program that does this. */
  readonly redirects: readonly string[]
}

export interface Clients {
  /** Who sends `Authorization: Basic …`; undefined for anybody unknown, closed or with a wrong secret. */
  readonly of: (authorization: string | undefined) => Promise<Client | undefined>
  readonly clear: () => void
}

/** Every login and refresh asks for one, and each change of one is told to every process: the age is for a process that has not heard. */
const maxAgeMs = 60 * 60_000
const maxEntries = 1_000

const isSecret = (given: string, hash: string): boolean => timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hash))

export const createClients = (services: Services, clock: Clock): Clients => {
  const read = shareReads(
    (id: string): Promise<ClientRow | undefined> =>
      services.scopes.asPlatform('clients belong to the whole installation', services.clock.now(), db => findClient(db, id)),
    { clock, maxAgeMs, maxEntries },
  )
  return {
    of: async authorization => {
      const [, basic = ''] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? []
      const given = Buffer.from(basic, 'base64').toString('utf8')
      const colon = given.indexOf(':')
      const id = given.slice(0, Math.max(0, colon))
      if (!/^[A-Za-z][A-Za-z0-9_-]{2,39}$/.test(id)) return undefined
      const row = await read.of(id)
      if (!row?.secretHash || !isSecret(given.slice(colon + 1), row.secretHash)) return undefined
      return {
        id: row.id,
        grants: new Set(row.grants.split(',')),
        accessMs: row.accessSeconds * 1_000,
        refreshMs: row.refreshSeconds * 1_000,
        redirects: row.redirects.split(',').filter(Boolean),
      }
    },
    clear: read.clear,
  }
}
