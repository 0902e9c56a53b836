import type { KeyRing } from '../crypto/key-ring.ts'
import type { Pool } from '../db/pool.ts'
import { type HeadPlaces, readMemories } from './memory.ts'
import { lostOf } from './verify.ts'

/** A head that stands outside the database and no chain holds, or lines that wait for their seal too long. */
export type HeadProblem =
  | { readonly kind: 'lost'; readonly tenant: string; readonly seq: string; readonly where: string }
  | { readonly kind: 'unsealed'; readonly tenant: string; readonly lines: number; readonly since: Date }
  | { readonly kind: 'journal'; readonly where: string; readonly lines: number }

/** A line older than this should have been sealed by any living installation. */
const graceMs = 10 * 60_000

/**
 * The quick part of `audit:verify`: whether the chains still hold the heads that were written down in the data folder and the second folder, and
 * whether lines are being sealed.
 */
export const headProblems = async (
  pool: Pool,
  of: HeadPlaces & { readonly key: Uint8Array | KeyRing; readonly now: Date },
): Promise<readonly HeadProblem[]> => {
  const found: HeadProblem[] = []
  const client = await pool.connect()
  try {
    const { anchorPath, anchors, own, others } = await readMemories(of, of.key)
    const journals = [...own, ...others]
    for (const { folder, broken } of journals) if (broken.length > 0) found.push({ kind: 'journal', where: folder, lines: broken.length })
    const told = [{ where: anchorPath, heads: anchors }, ...journals.map(({ folder, heads }) => ({ where: folder, heads }))]
    for (const { where, heads } of told)
      for (const { tenant, seq } of await lostOf(client, heads)) found.push({ kind: 'lost', tenant, seq, where })
    const { rows } = await client.query<{ tenant: string; lines: number; since: Date }>(
      `select p.tenant_id as tenant, count(*)::int as lines, min(a.created_at) as since from audit_pending p
       join audit_log a on a.tenant_id = p.tenant_id and a.id = p.audit_id where a.created_at < $1 group by 1 order by 1`,
      [new Date(of.now.getTime() - graceMs)],
    )
    return [...found, ...rows.map(row => ({ kind: 'unsealed' as const, ...row }))]
  } finally {
    client.release()
  }
}
