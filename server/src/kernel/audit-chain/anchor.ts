import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PoolClient } from '../db/pool.ts'
import type { AuditHead } from './line.ts'

/** Where the heads stand that a chain must still hold; outside the database, so that who cuts the chain there leaves a trace here (security 3.8). */
export const anchorPath = (dataDir: string): string => join(dataDir, 'audit-anchor.json')

/** The file of heads says nothing any more: what is wrong, where, and what an operator does. */
export class AnchorUnreadable extends Error {
  override readonly name = 'AnchorUnreadable'
  constructor(path: string, what: string) {
    super(
      `The heads of the audit chain in ${path} cannot be read: ${what}. Put back your copy of that file, or one from a backup. ` +
        'Without one, check how the file was damaged, then move it away: the chains are verified without heads once, and written down anew; ' +
        'that the end of a chain was not cut before then is no longer shown.',
    )
  }
}

const isHead = (value: unknown): value is AuditHead => {
  const { tenant, seq, chain } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof tenant === 'string' && typeof seq === 'string' && /^\d{1,19}$/.test(seq) && typeof chain === 'string'
}

/** @throws AnchorUnreadable */
export const readAnchors = async (path: string): Promise<readonly AuditHead[]> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new AnchorUnreadable(path, code === 'EACCES' ? 'this user may not open it' : String(code))
  }
  let heads: unknown
  try {
    heads = JSON.parse(text)
  } catch {
    throw new AnchorUnreadable(path, text.trim() === '' ? 'it is empty' : 'it is no JSON')
  }
  if (!Array.isArray(heads) || !heads.every(isHead)) throw new AnchorUnreadable(path, 'it holds something else than heads')
  return heads
}

/** Each tenant's anchor moves to its head, unless it is one of the lost or the head is the older of the two. */
export const movedAnchors = (
  anchors: readonly AuditHead[],
  heads: readonly AuditHead[],
  lost: ReadonlySet<string> = new Set(),
): readonly AuditHead[] => {
  const moved = new Map(anchors.map(anchor => [anchor.tenant, anchor]))
  for (const head of heads) {
    const before = moved.get(head.tenant)
    if (!lost.has(head.tenant) && (before === undefined || BigInt(before.seq) < BigInt(head.seq))) moved.set(head.tenant, head)
  }
  return [...moved.values()].sort((a, b) => (a.tenant < b.tenant ? -1 : 1))
}

export const writeAnchors = async (path: string, anchors: readonly AuditHead[]): Promise<void> => {
  // A name of its own: the sealer and `audit:verify` may write at the same moment.
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(anchors, null, 2)}\n`, { mode: 0o600 })
  await rename(fresh, path)
}

/**
 * Writes down how far chains have come. An anchor that its chain no longer holds stays for good, so that no line appended later hides a cut.
 *
 * @param client - of the platform role, outside a transaction
 * @param heads - of the chains that went on
 * @returns those of their tenants whose chain was cut, or replaced by an older copy
 */
export const anchorHeads = async (client: PoolClient, path: string, heads: readonly AuditHead[]): Promise<readonly string[]> => {
  const anchors = await readAnchors(path)
  const touched = new Set(heads.map(head => head.tenant))
  const looked = anchors.filter(anchor => touched.has(anchor.tenant))
  const { rows: lost } = await client.query<{ tenant: string }>(
    `select a.tenant from unnest($1::text[], $2::bigint[], $3::text[]) as a (tenant, seq, chain)
     where not exists (select 1 from audit_seal s where s.tenant_id = a.tenant and s.seq = a.seq and s.chain_hash = a.chain) order by 1`,
    [looked.map(one => one.tenant), looked.map(one => one.seq), looked.map(one => one.chain)],
  )
  const tenants = lost.map(row => row.tenant)
  await writeAnchors(path, movedAnchors(anchors, heads, new Set(tenants)))
  return tenants
}
