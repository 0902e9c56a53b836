import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A row to be written: columns in snake case, instants as Date, bytes as Buffer, JSON columns as plain values. */
export type Row = Readonly<Record<string, unknown>>

/** Rows of one statement: large enough to be quick, small enough for one message. */
const batch = 2_000

const toJson = (value: unknown): unknown => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : (value ?? null))

/** Rows with the same columns go together; a column that a row does not name gets the table's default. */
const byColumns = (rows: readonly Row[]): Row[][] => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = Object.keys(row).sort().join()
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()]
}

/** Writes many rows of one table, a statement for each batch. */
const insertRows = async (db: TenantDb, table: string, rows: readonly Row[]): Promise<void> => {
  for (const group of byColumns(rows)) {
    const names = Object.keys(group[0] ?? {})
    const list = sql.join(names.map(name => sql.ref(name)))
    for (let from = 0; from < group.length; from += batch) {
      const part = group.slice(from, from + batch).map(row => Object.fromEntries(names.map(name => [name, toJson(row[name])])))
      await db.run(sql`
        insert into ${sql.table(table)} (tenant_id, ${list})
        select ${db.actor.tenantId}, ${list} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(part)}::jsonb)`)
    }
  }
}

/** Ids as the database makes them, in ascending order: rows that take them in the order of their events are listed in it. */
export const takeIds = async (db: TenantDb, count: number): Promise<() => string> => {
  const rows = await db.all(
    sql<{ id: string }>`select made.id::text as id from (select next_id() as id from generate_series(1, ${count})) made order by made.id`,
  )
  let next = 0
  return () => {
    const row = rows[next]
    next += 1
    if (!row) throw new Error(`more than ${count} ids were asked for`)
    return row.id
  }
}

/** In an order in which each row finds what it refers to. */
const tables = [
  'dept',
  'post',
  'user_code',
  'account',
  'account_role',
  'examination',
  'exam_counter',
  'exam_user',
  'exam_item',
  'type_code',
  'stored_file',
  'oss',
  'attach',
  'signup',
  'signup_history',
  'examine_record',
  'examine_allot',
  'exam_pay',
  'pay_order',
  'pay_refund',
  'pay_ledger',
  'ticket',
  'ticket_down',
  'result',
  'notify',
  'sms_message',
  'audit_log',
] as const
export type SeedTable = (typeof tables)[number]

/** Rows of one tenant before they are written. */
export interface RowBook {
  add(table: SeedTable, row: Row): void
  write(db: TenantDb): Promise<void>
}

export const createRowBook = (): RowBook => {
  const rows = new Map<SeedTable, Row[]>(tables.map(table => [table, []]))
  return {
    add: (table, row) => void rows.get(table)?.push(row),
    write: async db => {
      for (const table of tables) await insertRows(db, table, rows.get(table) ?? [])
    },
  }
}
