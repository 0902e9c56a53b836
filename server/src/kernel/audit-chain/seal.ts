import { called } from '#kernel/called.ts'
import type { Clock } from '../clock.ts'
import { type KeyRing, ringOf } from '../crypto/key-ring.ts'
import type { Pool, PoolClient } from '../db/pool.ts'
import type { Log } from '../log.ts'
import { AnchorUnreadable, anchorHeads, anchorPath } from './anchor.ts'
import { auditPrint } from './hand-over.ts'
import { appendJournal, journalEveryMs, takeWriter } from './journal.ts'
import { type AuditHead, type AuditLine, chainOf, genesis, hashOfLine, selectLine, signatureOf } from './line.ts'
import { type HeadPlaces, journalsOf } from './memory.ts'

/** One process of the installation seals; the others wait for its database session to end. */
const sealerLock = 7_203_001
/** With the writer of a memory: one process of those that share a data folder writes there. */
const writerLock = 7_203_004
const batch = 1_000
/** Committed lines are sealed within a second (decision 4.3). */
const tickMs = 400

/** Thrown by a sealer that another has replaced. */
export class Fenced extends Error {}

/**
 * Seals what is committed and not sealed yet: one transaction, which holds the sealer's row, so that two can never append to a chain
 * together. @returns how many lines it sealed, and how far that brought each of their chains
 */
export const sealPending = async (
  client: PoolClient,
  key: Uint8Array | KeyRing,
  fence: string,
  now: Date,
): Promise<{ readonly count: number; readonly heads: readonly AuditHead[] }> => {
  await client.query('begin')
  try {
    const { rows: holder } = await client.query<{ fence: string; print: string | null }>(
      'select fence::text as fence, key_print as print from audit_sealer for update',
    )
    if (holder[0]?.fence !== fence) throw new Fenced('another sealer has taken over')
    const { rows: lines } = await client.query<AuditLine>(
      `select p.tenant_id as tenant, p.audit_id::text as id, ${selectLine} as values
       from (select tenant_id, audit_id from audit_pending order by tenant_id, audit_id limit ${batch}) p
       join audit_log a on a.tenant_id = p.tenant_id and a.id = p.audit_id order by p.tenant_id, p.audit_id`,
    )
    const heads = lines.length > 0 ? await append(client, sealingKey(ringOf(key), holder[0].print), fence, now, lines) : []
    await client.query('commit')
    return { count: lines.length, heads }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** The key that the chains were last handed to. */
const sealingKey = (ring: KeyRing, print: string | null): Uint8Array => {
  const key = print === null ? ring.current() : ring.accepted().find(one => auditPrint(one) === print)
  if (!key) throw new Error('the audit chains were handed over to a key that the secrets file of this instance does not have')
  return key
}

const append = async (
  client: PoolClient,
  key: Uint8Array,
  fence: string,
  now: Date,
  lines: readonly AuditLine[],
): Promise<readonly AuditHead[]> => {
  const tenants = [...new Set(lines.map(line => line.tenant))]
  const { rows: heads } = await client.query<{ tenant: string; seq: string; chain: string }>(
    `select t.tenant, s.seq::text as seq, s.chain_hash as chain from unnest($1::text[]) as t (tenant)
     cross join lateral (select seq, chain_hash from audit_seal where tenant_id = t.tenant order by seq desc limit 1) s`,
    [tenants],
  )
  const head = new Map(heads.map(row => [row.tenant, { seq: BigInt(row.seq), chain: row.chain }]))
  const seals = lines.map(({ tenant, id, values }) => {
    const before = head.get(tenant) ?? { seq: 0n, chain: genesis }
    const seq = before.seq + 1n
    const rowHash = hashOfLine(values)
    const chain = chainOf(before.chain, { seq: String(seq), id, rowHash })
    head.set(tenant, { seq, chain })
    return { tenant, seq: String(seq), id, rowHash, chain, signature: signatureOf(key, tenant, chain) }
  })
  await client.query(
    `insert into audit_seal (tenant_id, seq, audit_id, row_hash, chain_hash, signature, fence, sealed_at)
     select s.*, $7, $8 from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) as s`,
    [
      seals.map(seal => seal.tenant),
      seals.map(seal => seal.seq),
      seals.map(seal => seal.id),
      seals.map(seal => seal.rowHash),
      seals.map(seal => seal.chain),
      seals.map(seal => seal.signature),
      fence,
      now,
    ],
  )
  await client.query(
    'delete from audit_pending p using unnest($1::text[], $2::bigint[]) as s (tenant, id) where p.tenant_id = s.tenant and p.audit_id = s.id',
    [seals.map(seal => seal.tenant), seals.map(seal => seal.id)],
  )
  return [...head].map(([tenant, { seq, chain }]) => ({ tenant, seq: String(seq), chain }))
}

export interface Sealer {
  /** Seals all that is committed now. @returns lines sealed; undefined while another process is the sealer */
  readonly sealNow: () => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** Tries to become the sealer of the installation. @returns its fence, undefined while another holds the lock */
export const takeSealer = async (client: PoolClient, now: Date): Promise<string | undefined> => {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [sealerLock])
  if (!rows[0]?.held) return undefined
  const { rows: fences } = await client.query<{ fence: string }>(
    'update audit_sealer set fence = fence + 1, taken_at = $1 returning fence::text as fence',
    [now],
  )
  return fences[0]?.fence
}

/**
 * Runs the sealer of this process: one session of its own holds the lock, so that it is free the moment the process dies.
 *
 * @param pool - of the platform role, which sees every tenant
 */
export const createSealer = (parts: {
  readonly pool: Pool
  readonly key: Uint8Array | KeyRing
  readonly clock: Clock
  readonly log: Log
  /** Where heads are written down; null where nobody looks at them, in a test. */
  readonly heads: HeadPlaces | null
  /** False for tests, which seal when they want to look. */
  readonly isTicking: boolean
}): Sealer => {
  const { pool, key, clock, log, heads: places } = parts
  let journalAt = 0
  let client: PoolClient | undefined
  let fence: string | undefined
  /** The memory that this process writes; undefined while another process on the same data folder does. */
  let writer: string | undefined
  let stopped = false

  const takeMemory = async (held: PoolClient, dataDir: string): Promise<string | undefined> => {
    if (writer !== undefined) return writer
    const name = await takeWriter(dataDir)
    const { rows } = await held.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', [writerLock, name])
    if (rows[0]?.held) writer = name
    return writer
  }
  const reported = new Set<string>()
  const anchor = async (held: PoolClient, heads: readonly AuditHead[]): Promise<void> => {
    if (places === null || heads.length === 0 || (await takeMemory(held, places.dataDir)) === undefined) return
    const file = anchorPath(places.dataDir)
    let lost: readonly string[]
    try {
      lost = await anchorHeads(held, file, heads)
    } catch (error) {
      // Lines go on being sealed: a damaged file beside the database must not stop what the database proves by itself.
      if (!(error instanceof AnchorUnreadable)) throw error
      if (!reported.has(file))
        log.error({ file }, `the heads of the audit chain cannot be read; ${called('audit:verify')} says how to mend it`)
      reported.add(file)
      return
    }
    for (const tenant of lost) {
      if (reported.has(tenant)) continue
      reported.add(tenant)
      log.error({ tenant }, 'the audit chain no longer holds what was sealed earlier: it was cut, or comes from an old copy')
    }
  }
  /**
   * Writes all heads down where the database's owner does not come, once a minute and at the end. Every instance does so for its own folder, whoever
   * seals: what it has seen holds as far as it ran.
   */
  const journal = async (held: PoolClient, isEnd = false): Promise<void> => {
    const now = clock.now()
    if (places === null || (!isEnd && now.getTime() - journalAt < journalEveryMs)) return
    journalAt = now.getTime()
    const name = await takeMemory(held, places.dataDir)
    if (name === undefined) return
    const { rows } = await held.query<AuditHead>(
      `select t.tenant_id as tenant, s.seq::text as seq, s.chain_hash as chain from tenant t
       cross join lateral (select seq, chain_hash from audit_seal where tenant_id = t.tenant_id order by seq desc limit 1) s order by 1`,
    )
    await anchor(held, rows)
    for (const folder of journalsOf(places, name)) {
      try {
        await appendJournal(folder, ringOf(key).current(), now, rows)
        reported.delete(folder)
      } catch (error) {
        // Lines go on being sealed; the other journal is written all the same.
        if (!reported.has(folder)) log.error({ folder, err: error }, 'the heads of the audit chain are not written down')
        reported.add(folder)
      }
    }
  }
  const letGo = (): void => {
    client?.release(true)
    client = undefined
    fence = undefined
    writer = undefined
  }
  const sealNow = async (): Promise<number | undefined> => {
    if (!client) {
      client = await pool.connect()
      client.on('error', letGo)
    }
    fence ??= await takeSealer(client, clock.now())
    if (fence === undefined) {
      await journal(client)
      return undefined
    }
    let sealed = 0
    for (;;) {
      const { count, heads } = await sealPending(client, key, fence, clock.now())
      await anchor(client, heads)
      sealed += count
      if (count < batch) {
        await journal(client)
        return sealed
      }
    }
  }
  let working: Promise<unknown> = Promise.resolve()
  const tick = (): void => {
    working = working.then(async () => {
      if (stopped) return
      try {
        await sealNow()
      } catch (error) {
        if (!stopped) log.error({ err: error }, 'audit lines were not sealed')
        letGo()
      }
    })
  }
  const timer = parts.isTicking ? setInterval(tick, tickMs) : undefined
  timer?.unref()
  return {
    sealNow,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await working
      if (writer !== undefined && client) await journal(client, true).catch(() => {})
      // Given back by name: whoever waits need not wait for the server to notice the closed connection.
      if (fence !== undefined || writer !== undefined) await client?.query('select pg_advisory_unlock_all()').catch(() => undefined)
      letGo()
    },
  }
}
