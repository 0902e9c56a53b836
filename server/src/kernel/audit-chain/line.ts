import { hmacSm3, sm3 } from '../crypto/sm3.ts'

// What sealing and verifying agree on: how a line is read and hashed, and how hashes are linked and signed.

/** How far the chain of a tenant has come. */
export interface AuditHead {
  readonly tenant: string
  readonly seq: string
  readonly chain: string
}

/** The hash that the first line of a tenant follows. */
export const genesis = '0'.repeat(64)

export interface AuditLine {
  readonly tenant: string
  readonly id: string
  /** Every column as text, in the order of `lineColumns`. */
  readonly values: readonly (string | null)[]
}

/** Columns in the order in which they are hashed. A new column is added at the end, with the number of the first seal that has it. */
const lineColumns = [
  'tenant_id',
  'id::text',
  'user_id::text',
  'actor_kind',
  'session_id::text',
  'action',
  'entity',
  'entity_id',
  'before_value::text',
  'after_value::text',
  'reason',
  'ip',
  'user_agent',
  'trace_id',
  `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
] as const
/** As JSON: the driver takes an array of texts apart letter by letter. */
export const selectLine = `to_json(array[${lineColumns.map(column => `a.${column}`.replace('a.to_char(', 'to_char(a.')).join(', ')}])`

/** SM3 over the columns of a line, as `selectLine` reads them. */
export const hashOfLine = (values: AuditLine['values']): string => sm3(JSON.stringify(values)).toString('hex')
/** The link of a line: over that of the line before it, so that none can be taken out or put in between. */
export const chainOf = (before: string, seal: { seq: string; id: string; rowHash: string }): string =>
  sm3(`${before}|${seal.seq}|${seal.id}|${seal.rowHash}`).toString('hex')
/** Proves that who sealed the chain up to here had the key; naming the tenant, so that no chain stands in for another. */
export const signatureOf = (key: Uint8Array, tenant: string, chainHash: string): string =>
  hmacSm3(key, `audit|${tenant}|${chainHash}`).toString('hex')
