import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'

/** A demo installation of a former release: `platform/upgrade/take.ts` keeps one. Its administrator has changed menus, roles and rights by hand. */
export interface Former {
  readonly takenAt: string
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  readonly accounts: readonly { readonly tenantId: string; readonly account: string; readonly password: string; readonly userType: 1 | 2 }[]
  /** As the data folder keeps them, but for the passwords of the database. */
  readonly secrets: Readonly<Record<string, unknown>>
  /** Name of a table → its rows as JSON. */
  readonly tables: Readonly<Record<string, string>>
}

export const readFormer = async (release: string): Promise<Former> =>
  JSON.parse(
    gunzipSync(await readFile(join(import.meta.dirname, '..', 'platform', 'upgrade', `${release}.json.gz`))).toString('utf8'),
  ) as Former

/**
 * Fills the former release's tables with its rows; nothing checks or fires until `session_replication_role` is set back, as with a folder that is copied.
 * @param superuser - on the database, which has the former release's migrations
 */
export const fillFormer = async (superuser: pg.Client, former: Former): Promise<void> => {
  await superuser.query(`set session_replication_role = replica`)
  for (const [table, rows] of Object.entries(former.tables)) {
    const columns = await superuser.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    const list = columns.rows.map(column => column.name).join(', ')
    await superuser.query(`delete from "${table}"`)
    await superuser.query(
      `insert into "${table}" (${list}) overriding system value select ${list} from json_populate_recordset(null::"${table}", $1)`,
      [rows],
    )
  }
}
