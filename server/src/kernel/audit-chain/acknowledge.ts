import { hmacSm3 } from '../crypto/sm3.ts'
import type { PoolClient } from '../db/pool.ts'
import type { Journal } from './journal.ts'
import type { AuditHead } from './line.ts'
import type { Memories } from './memory.ts'

/** Code of the audit line that says that a database was put back on purpose. */
export const acknowledgedAction = 'audit.restore-acknowledged'

/** What two people answer for: heads that were seen once and that no chain holds any more, because the database comes from a backup. */
export interface Acknowledgement {
  /** ISO, UTC. */
  readonly at: string
  /** Accounts of the platform. */
  readonly by: readonly string[]
  readonly reason: string
  /** The exact heads that were lost, of every memory. A head that is not among them is not excused. */
  readonly lost: readonly AuditHead[]
  /** How far the chains of these tenants came in the database that was put back. */
  readonly heads: readonly AuditHead[]
}

/** As it stands in the audit line: the text as it was signed, since the database would write JSON in another order. */
export interface SignedAcknowledgement {
  readonly statement: string
  /** By the installation's audit key, which the owner of the database does not have: a line that is slipped in excuses nothing. */
  readonly proof: string
}

const proofOf = (key: Uint8Array, statement: string): string => hmacSm3(key, `audit-restore|${statement}`).toString('hex')

export const signAcknowledgement = (key: Uint8Array, acknowledgement: Acknowledgement): SignedAcknowledgement => {
  const statement = JSON.stringify(acknowledgement)
  return { statement, proof: proofOf(key, statement) }
}

const nameOf = ({ tenant, seq, chain }: AuditHead): string => `${tenant} ${seq} ${chain}`

/** The acknowledgements that are sealed and were made with one of these keys, oldest first. */
export const readAcknowledgements = async (client: PoolClient, keys: readonly Uint8Array[]): Promise<readonly Acknowledgement[]> => {
  const { rows } = await client.query<{ value: SignedAcknowledgement }>(
    `select a.after_value as value from audit_log a join audit_seal s on s.tenant_id = a.tenant_id and s.audit_id = a.id
     where a.action = $1 order by a.id`,
    [acknowledgedAction],
  )
  return rows
    .filter(({ value }) => keys.some(key => proofOf(key, value.statement) === value.proof))
    .map(({ value }) => JSON.parse(value.statement) as Acknowledgement)
}

/** Leaves out the heads that somebody answered for. */
export const withoutAcknowledged = (heads: readonly AuditHead[], acknowledgements: readonly Acknowledgement[]): readonly AuditHead[] => {
  const excused = new Set(acknowledgements.flatMap(({ lost }) => lost.map(nameOf)))
  return heads.filter(head => !excused.has(nameOf(head)))
}

/** The same of everything that was written down. */
export const memoriesWithoutAcknowledged = (memories: Memories, acknowledgements: readonly Acknowledgement[]): Memories => {
  const excused = (journal: Journal): Journal => ({ ...journal, heads: withoutAcknowledged(journal.heads, acknowledgements) })
  return {
    ...memories,
    anchors: withoutAcknowledged(memories.anchors, acknowledgements),
    own: memories.own.map(excused),
    others: memories.others.map(excused),
  }
}

/** What was acknowledged, a line for each tenant. */
export const acknowledgementLines = ({ at, by, reason, lost, heads }: Acknowledgement): readonly string[] =>
  [...new Set(lost.map(({ tenant }) => tenant))].map(tenant => {
    const furthest = lost.filter(head => head.tenant === tenant).reduce((one, other) => (BigInt(other.seq) > BigInt(one.seq) ? other : one))
    const to = heads.find(head => head.tenant === tenant)
    return `${tenant}  put back from seal ${furthest.seq} (${furthest.chain}) to seal ${to?.seq ?? '0'} (${to?.chain ?? 'none'}): acknowledged ${at} by ${by.join(' and ')}: ${reason}`
  })
