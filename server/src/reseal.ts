import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { Pool, PoolClient } from '#kernel/db/pool.ts'
import type { FileStores } from '#kernel/files/places.ts'
import { placeOfKey } from '#kernel/files/places.ts'
import { FileDamagedError, FileMissingError, StorageError } from '#kernel/files/store.ts'
import { type SealedColumn, sealedColumns } from '#server/sealed-columns.ts'

// After a change of the root key: whatever a former one sealed is opened and sealed again, in small portions beside the running program, which reads both.
// Each value is replaced only where it is still the one that was read, so the work can be stopped and begun again at any time.

const portion = 500

export interface Resealing {
  readonly platform: Pool
  readonly cipher: FieldCipher
  readonly files: FileStores
  /** One line for the operator. */
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export interface Resealed {
  readonly values: number
  readonly files: number
  /** What no key of the secrets file opens: it is left as it is. */
  readonly closed: readonly string[]
}

interface Row {
  readonly tenant: string
  readonly rowId: string | null
  readonly place: string
  readonly value: Buffer | string
}

/** A client for long work: no time-out of a request. */
const patient = async <T>(platform: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await platform.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    client.release(true)
  }
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Answers of a form with those of another key sealed anew. @returns undefined where there are none */
const answersAnew = (
  cipher: FieldCipher,
  tenant: string,
  table: string,
  rowId: string,
  value: Json,
): { readonly value: Json; readonly changed: number } => {
  let changed = 0
  const walk = (one: Json, key: string): Json => {
    if (Array.isArray(one)) return one.map(item => walk(item, key))
    if (typeof one !== 'object' || one === null) return one
    const entries = Object.entries(one)
    const sealed =
      entries.length === 1 && entries[0]?.[0] === 'e' && typeof entries[0][1] === 'string'
        ? Buffer.from(entries[0][1], 'base64')
        : undefined
    if (sealed !== undefined && key !== '') {
      if (cipher.isCurrent(sealed)) return one
      const place = { table, column: `content.${key}`, rowId }
      changed += 1
      return { e: cipher.seal(tenant, place, cipher.open(tenant, place, sealed)).toString('base64') }
    }
    return Object.fromEntries(entries.map(([name, item]) => [name, walk(item, name)]))
  }
  return { value: walk(value, ''), changed }
}

const columnAnew = async ({ platform, cipher, say, signal }: Resealing, of: SealedColumn, closed: string[]): Promise<number> =>
  patient(platform, reader =>
    patient(platform, async writer => {
      const { table, column, rowId, answersOf } = of
      // What the present key sealed is not even read.
      const wanted = answersOf === undefined ? `r.${column} is not null` : `r.${column}::text like '%"e"%'`
      await reader.query('begin read only')
      await reader.query(
        `declare sealed no scroll cursor for select r.tenant_id as tenant, ${rowId} as "rowId", r.ctid::text as place, r.${column}${answersOf === undefined ? '' : '::text'} as value from ${table} r where ${wanted}`,
      )
      let done = 0
      for (;;) {
        signal.throwIfAborted()
        const { rows } = await reader.query<Row>(`fetch ${portion} from sealed`)
        if (rows.length === 0) break
        for (const row of rows) {
          if (row.rowId === null) continue
          const next = anew(cipher, of, row, row.rowId, closed)
          if (next === undefined) continue
          const { rowCount } = await writer.query(
            answersOf === undefined
              ? `update ${table} r set ${column} = $1 where r.tenant_id = $2 and ${rowId} = $3 and r.${column} = $4`
              : `update ${table} r set ${column} = $1::jsonb where r.tenant_id = $2 and ${rowId} = $3 and r.${column} = $4::jsonb`,
            [next, row.tenant, row.rowId, row.value],
          )
          done += rowCount ?? 0
          if (done > 0 && done % 10_000 === 0) say(`  ${table}.${column}: ${done}`)
        }
      }
      await reader.query('rollback')
      if (done > 0) say(`  ${table}.${column}: ${done}`)
      return done
    }),
  )

const anew = (cipher: FieldCipher, of: SealedColumn, row: Row, rowId: string, closed: string[]): Buffer | string | undefined => {
  const { tenant, value } = row
  try {
    if (typeof value === 'string') {
      const { value: next, changed } = answersAnew(cipher, tenant, of.answersOf ?? of.table, rowId, JSON.parse(value) as Json)
      return changed === 0 ? undefined : JSON.stringify(next)
    }
    if (cipher.isCurrent(value)) return undefined
    const place = { table: of.table, column: of.column, rowId }
    return cipher.seal(tenant, place, cipher.open(tenant, place, value))
  } catch {
    closed.push(`${of.table}.${of.column} of ${rowId} (${tenant})`)
    return undefined
  }
}

const filesAnew = async ({ platform, files, say, signal }: Resealing, closed: string[]): Promise<number> =>
  patient(platform, async reader => {
    await reader.query('begin read only')
    await reader.query('declare stored no scroll cursor for select storage_key as key from stored_file')
    let done = 0
    for (;;) {
      signal.throwIfAborted()
      const { rows } = await reader.query<{ key: string }>(`fetch ${portion} from stored`)
      if (rows.length === 0) break
      for (const { key } of rows) {
        signal.throwIfAborted()
        const { storageId, name } = placeOfKey(key)
        try {
          if (await (await files.at(storageId)).reseal(name)) done += 1
        } catch (error) {
          if (!(error instanceof FileMissingError || error instanceof FileDamagedError || error instanceof StorageError)) throw error
          closed.push(`file ${key}: ${error.message}`)
        }
        if (done > 0 && done % 1_000 === 0) say(`  files: ${done}`)
      }
    }
    await reader.query('rollback')
    say(`  files: ${done}`)
    return done
  })

/** Seals everything for the present root key. @throws AbortError when it is stopped; what was done stays */
export const resealAll = async (of: Resealing): Promise<Resealed> => {
  const closed: string[] = []
  let values = 0
  for (const column of sealedColumns) values += await columnAnew(of, column, closed)
  return { values, files: await filesAnew(of, closed), closed }
}
