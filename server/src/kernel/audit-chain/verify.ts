import { platformTenant } from '#contract/kernel/platform.ts'
import { type KeyRing, ringOf } from '../crypto/key-ring.ts'
import type { PoolClient } from '../db/pool.ts'
import { auditPrint, isSigned, readHandOvers } from './hand-over.ts'
import { type AuditHead, type AuditLine, chainOf, genesis, hashOfLine, selectLine, signatureOf } from './line.ts'

export type AuditProblem =
  | 'changed'
  | 'removed'
  | 'sealMissing'
  | 'sealForged'
  | 'chainBroken'
  | 'added'
  | 'unsealed'
  | 'anchorLost'
  | 'handOverForged'
export interface AuditFinding {
  readonly tenant: string
  /** Of the audit line, or of the seal where the line is gone. */
  readonly place: string
  readonly problem: AuditProblem
}
export interface AuditVerdict {
  readonly lines: number
  readonly waiting: number
  readonly heads: readonly AuditHead[]
  /** The first of each tenant and kind up to `shown`. */
  readonly findings: readonly AuditFinding[]
}

interface SealRow {
  readonly seq: string
  readonly id: string
  readonly rowHash: string
  readonly chain: string
  readonly signature: string
  readonly values: AuditLine['values'] | null
}
const batch = 2_000
const shown = 100
/** A line older than this should have been sealed by any living installation. */
const graceMs = 60_000

/** Walks one tenant's chain from its beginning: line, link and signature of every seal. */
const walk = async (
  client: PoolClient,
  keyAt: (seq: bigint) => Uint8Array | undefined,
  tenant: string,
  report: (finding: AuditFinding) => void,
) => {
  let head: AuditHead = { tenant, seq: '0', chain: genesis }
  let lines = 0
  for (;;) {
    const { rows } = await client.query<SealRow>(
      `select s.seq::text as seq, s.audit_id::text as id, s.row_hash as "rowHash", s.chain_hash as chain, s.signature,
         case when a.id is not null then ${selectLine} end as values
       from audit_seal s left join audit_log a on a.tenant_id = s.tenant_id and a.id = s.audit_id
       where s.tenant_id = $1 and s.seq > $2 order by s.seq limit ${batch}`,
      [tenant, head.seq],
    )
    for (const row of rows) {
      lines += 1
      const at = (problem: AuditProblem): void => report({ tenant, place: `seal ${row.seq}, line ${row.id}`, problem })
      if (BigInt(row.seq) !== BigInt(head.seq) + 1n) at('sealMissing')
      else if (chainOf(head.chain, row) !== row.chain) at('chainBroken')
      const key = keyAt(BigInt(row.seq))
      if (!key || signatureOf(key, tenant, row.chain) !== row.signature) at('sealForged')
      if (row.values === null) at('removed')
      else if (hashOfLine(row.values) !== row.rowHash) at('changed')
      // Goes on from what stands there, so that one broken place is one finding and not all that follow.
      head = { tenant, seq: row.seq, chain: row.chain }
    }
    if (rows.length < batch) return { head, lines }
  }
}

/** Of these heads, those that no chain holds any more. */
export const lostOf = async (client: PoolClient, heads: readonly AuditHead[]): Promise<readonly AuditHead[]> =>
  (
    await client.query<AuditHead>(
      `select a.tenant, a.seq::text as seq, a.chain from unnest($1::text[], $2::bigint[], $3::text[]) as a (tenant, seq, chain)
       where not exists (select 1 from audit_seal s where s.tenant_id = a.tenant and s.seq = a.seq and s.chain_hash = a.chain) order by a.tenant, a.seq`,
      [heads.map(one => one.tenant), heads.map(one => one.seq), heads.map(one => one.chain)],
    )
  ).rows

/**
 * Proves that no audit line was changed, removed or slipped in since it was sealed (decision 4.3).
 *
 * @param anchors - heads that were written down elsewhere at an earlier time: a chain that was cut or restored from an old copy no longer
 *   holds them
 */
export const verifyAudit = async (
  client: PoolClient,
  key: Uint8Array | KeyRing,
  now: Date,
  anchors: readonly AuditHead[] = [],
): Promise<AuditVerdict> => {
  const findings: AuditFinding[] = []
  const report = (finding: AuditFinding): void => {
    if (findings.length < shown) findings.push(finding)
  }
  const heads: AuditHead[] = []
  let lines = 0
  await client.query('begin transaction isolation level repeatable read read only')
  try {
    const { rows: tenants } = await client.query<{ tenant: string }>(
      'select tenant_id as tenant from tenant union select tenant_id from audit_seal order by 1',
    )
    const ring = ringOf(key)
    const handOvers = await readHandOvers(client)
    const last = handOvers.at(-1)
    for (const [i, one] of handOvers.entries())
      if (!isSigned(one, ring.accepted()) || (i > 0 && handOvers[i - 1]?.to !== one.from))
        report({ tenant: platformTenant, place: `hand-over ${i + 1} of the audit key`, problem: 'handOverForged' })
    /** Up to the head that was handed over the key before signs, after it the next one. */
    const keyOf = (tenant: string): ((seq: bigint) => Uint8Array | undefined) => {
      const ends = handOvers.map(one => BigInt(one.heads.find(head => head.tenant === tenant)?.seq ?? '0'))
      return seq => {
        const print = handOvers[ends.findIndex(end => seq <= end)]?.from ?? last?.to
        return print === undefined ? ring.current() : ring.accepted().find(one => auditPrint(one) === print)
      }
    }
    for (const { tenant } of tenants) {
      const walked = await walk(client, keyOf(tenant), tenant, report)
      lines += walked.lines
      if (walked.lines > 0) heads.push(walked.head)
    }
    const { rows: loose } = await client.query<{ tenant: string; id: string; waits: boolean; old: boolean }>(
      `select a.tenant_id as tenant, a.id::text as id, p.audit_id is not null as waits, a.created_at < $1 as old
       from audit_log a left join audit_pending p on p.tenant_id = a.tenant_id and p.audit_id = a.id
       where not exists (select 1 from audit_seal s where s.tenant_id = a.tenant_id and s.audit_id = a.id) order by a.tenant_id, a.id`,
      [new Date(now.getTime() - graceMs)],
    )
    for (const row of loose) {
      if (!row.waits) report({ tenant: row.tenant, place: `line ${row.id}`, problem: 'added' })
      else if (row.old) report({ tenant: row.tenant, place: `line ${row.id}`, problem: 'unsealed' })
    }
    const told = new Map(anchors.map(one => [`${one.tenant} ${one.seq} ${one.chain}`, one]))
    for (const anchor of await lostOf(client, [...told.values()]))
      report({ tenant: anchor.tenant, place: `seal ${anchor.seq}`, problem: 'anchorLost' })
    return { lines, waiting: loose.filter(row => row.waits).length, heads, findings }
  } finally {
    await client.query('rollback')
  }
}
