import { fingerprintOf } from '../crypto/fingerprint.ts'
import { hmacSm3, sm3 } from '../crypto/sm3.ts'
import type { PoolClient } from '../db/pool.ts'
import type { AuditHead } from './line.ts'

/** Fingerprint of a key that seals, as the hand-overs name it. */
export const auditPrint = (key: Uint8Array): string => fingerprintOf('auditKey', key)

/** How far the chains were when a key took the place of another; both have signed it. */
export interface HandOver {
  readonly from: string
  readonly to: string
  readonly heads: readonly AuditHead[]
  readonly fromSignature: string
  readonly toSignature: string
}

const signatureOf = (key: Uint8Array, { from, to, heads }: Pick<HandOver, 'from' | 'to' | 'heads'>): string => {
  const text = heads.map(({ tenant, seq, chain }) => `${tenant} ${seq} ${chain}`).join('\n')
  return hmacSm3(key, `audit-hand-over|${from}|${to}|${sm3(text).toString('hex')}`).toString('hex')
}

/** In the order in which they came. */
export const readHandOvers = async (client: Pick<PoolClient, 'query'>): Promise<readonly HandOver[]> =>
  (
    await client.query<HandOver>(
      `select from_print as "from", to_print as "to", heads, from_signature as "fromSignature", to_signature as "toSignature" from audit_hand_over order by id`,
    )
  ).rows

/** Whether both keys have signed it. A key that is not there any more proves nothing. */
export const isSigned = (of: HandOver, keys: readonly Uint8Array[]): boolean => {
  const keyOf = (print: string): Uint8Array | undefined => keys.find(key => auditPrint(key) === print)
  const [from, to] = [keyOf(of.from), keyOf(of.to)]
  return from !== undefined && to !== undefined && signatureOf(from, of) === of.fromSignature && signatureOf(to, of) === of.toSignature
}

/** Before the first change: the key that has sealed so far is named, so that the program does not seal with the next one too early. */
export const nameSealingKey = async (client: Pick<PoolClient, 'query'>, key: Uint8Array): Promise<void> => {
  await client.query('update audit_sealer set key_print = $1 where key_print is null', [auditPrint(key)])
}

/**
 * Hands the chains over from one key to the next, in one transaction that no sealer can seal beside. Done once; again it does nothing.
 *
 * @param client - of the platform role, outside a transaction
 */
export const handOver = async (client: PoolClient, from: Uint8Array, to: Uint8Array): Promise<void> => {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ print: string | null }>('select key_print as print from audit_sealer for update')
    if (rows[0]?.print !== auditPrint(to)) {
      const { rows: heads } = await client.query<AuditHead>(
        `select t.tenant_id as tenant, s.seq::text as seq, s.chain_hash as chain from tenant t
         cross join lateral (select seq, chain_hash from audit_seal where tenant_id = t.tenant_id order by seq desc limit 1) s order by 1`,
      )
      const of = { from: auditPrint(from), to: auditPrint(to), heads }
      await client.query(
        'insert into audit_hand_over (from_print, to_print, heads, from_signature, to_signature) values ($1, $2, $3, $4, $5)',
        [of.from, of.to, JSON.stringify(heads), signatureOf(from, of), signatureOf(to, of)],
      )
      await client.query('update audit_sealer set key_print = $1', [of.to])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
