import { platformTenant } from '#contract/kernel/platform.ts'
import { audit } from '#kernel/audit.ts'
import { readAcknowledgements, withoutAcknowledged } from '#kernel/audit-chain/acknowledge.ts'
import type { AuditHead } from '#kernel/audit-chain/line.ts'
import { latestRemembered } from '#kernel/audit-chain/memory.ts'
import { lostOf } from '#kernel/audit-chain/verify.ts'
import { type Clock, systemClock } from '#kernel/clock.ts'
import type { KeyRing } from '#kernel/crypto/key-ring.ts'
import type { Pools } from '#kernel/db/pool.ts'
import { type Scopes, systemOf } from '#kernel/db/scope.ts'
import { type HoldReason, putOnHold, type Query, readHold, readReleased } from '#kernel/hold.ts'
import type { Config } from '#server/config.ts'

// A database that somebody put back by hand (a snapshot of the disk, a dump, the write-ahead log to a point in time) looks like any other. The heads of
// the audit that the data folder and the journal remember are ahead of it: what came after them was done once, and would be sent, paid or run again.

interface OlderDeps {
  readonly config: Pick<Config, 'dataDir' | 'auditJournal'>
  readonly pools: Pools
  readonly auditKey: KeyRing
}

/** Heads that are remembered outside of the database and that no chain of it holds, but for those that two people answered for. */
const headsAhead = async ({ config, pools, auditKey }: OlderDeps): Promise<readonly AuditHead[]> => {
  const remembered = await latestRemembered({ dataDir: config.dataDir, second: config.auditJournal })
  if (remembered.length === 0) return []
  const client = await pools.kaopu_platform.connect()
  try {
    await client.query('set statement_timeout = 0')
    return await lostOf(client, withoutAcknowledged(remembered, await readAcknowledgements(client, auditKey.accepted())))
  } finally {
    client.release(true)
  }
}

const nameOf = ({ tenant, seq, chain }: AuditHead): string => `${tenant}:${seq}:${chain}`
/** As they are written down when an operator releases the installation, so that the next start does not hold it again. */
export const namesAhead = async (deps: OlderDeps): Promise<readonly string[]> => [...new Set((await headsAhead(deps)).map(nameOf))]

/**
 * Holds the installation back where its database is older than what is remembered of it, unless an operator has released it since.
 *
 * @returns why it was held just now
 * @throws AnchorUnreadable
 */
export const holdOlderDatabase = async (
  deps: OlderDeps & { readonly scopes: Scopes; readonly clock: Clock; readonly query: Query },
): Promise<HoldReason | undefined> => {
  const { pools, scopes, clock, query } = deps
  if ((await readHold(query)) !== undefined) return undefined
  const ahead = await namesAhead(deps)
  const released = new Set(await readReleased(query))
  if (ahead.every(name => released.has(name))) return undefined
  const { rows } = await pools.kaopu_platform.query<{ last: Date | null }>('select max(created_at) as last from audit_log')
  const restoredAt = systemClock.now().toISOString()
  const reason: HoldReason = { backup: '', takenAt: rows[0]?.last?.toISOString() ?? restoredAt, restoredAt, ahead }
  await putOnHold(query, reason)
  await scopes.tx(systemOf(platformTenant), clock.now(), db =>
    audit(db, undefined, { action: 'installation.held', entity: 'installation', entityId: null, after: reason }),
  )
  return reason
}
