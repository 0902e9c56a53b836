import type { TenantDb } from '#kernel/db/scope.ts'
import { builder, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { ForeignDatabase } from '#kernel/foreign-database.ts'

export interface TableRow {
  readonly name: string
  readonly comment: string
}
export interface ColumnRow extends TableRow {
  readonly type: string
  readonly isNullable: boolean
  readonly hasDefault: boolean
  readonly isGenerated: boolean
  readonly isKey: boolean
  readonly isUnique: boolean
  readonly isForeign: boolean
}
export interface RightsRow {
  readonly version: string
  readonly mayWrite: boolean
}
/** What a database says of itself. */
export interface Catalogue {
  readonly tables: () => Promise<TableRow[]>
  readonly columns: (table: string) => Promise<ColumnRow[]>
  readonly rights: () => Promise<RightsRow>
}

const mostTables = 2_000
const mostColumns = 2_000

/** Tables that the account may read, none of the server's own. Those of `public` by their name alone. @param isOwn - only what a tenant has rows in */
const postgresTables = (isOwn: boolean): RawBuilder<unknown> => sql`
  select c.oid, case when n.nspname = 'public' then c.relname::text else n.nspname || '.' || c.relname end as name,
    coalesce(obj_description(c.oid, 'pg_class'), '') as comment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
    ${
      isOwn
        ? sql`and n.nspname = 'public' and c.relforcerowsecurity
            and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)`
        : sql``
    }`

/** An index of one column, or of the tenant and one column, says that the column is unique. */
const postgresColumns = (isOwn: boolean, table: string): RawBuilder<ColumnRow> => sql<ColumnRow>`
  select a.attname::text as name, coalesce(col_description(a.attrelid, a.attnum), '') as comment,
    case when coalesce(b.typtype, y.typtype) = 'e' then 'enum'
      else format_type(coalesce(b.oid, y.oid), case when b.oid is null then a.atttypmod else y.typtypmod end) end as type,
    not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault", a.attgenerated <> '' as "isGenerated",
    exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey)) as "isKey",
    exists (select from pg_index i where i.indrelid = a.attrelid and i.indisunique and (
      i.indnkeyatts = 1 and i.indkey[0] = a.attnum and i.indpred is null
      or i.indnkeyatts = 2 and i.indkey[1] = a.attnum
        and i.indkey[0] = (select t.attnum from pg_attribute t where t.attrelid = a.attrelid and t.attname = 'tenant_id'))) as "isUnique",
    exists (select from pg_constraint f where f.conrelid = a.attrelid and f.contype = 'f' and a.attnum = any(f.conkey)) as "isForeign"
  from pg_attribute a
  join (${postgresTables(isOwn)}) c on c.oid = a.attrelid
  join pg_type y on y.oid = a.atttypid
  left join pg_type b on b.oid = y.typbasetype and y.typtype = 'd'
  where c.name = ${table} and a.attnum > 0 and not a.attisdropped
  order by a.attnum limit ${mostColumns}`

const postgresRights = sql<RightsRow>`
  select current_setting('server_version') as version,
    (select rolsuper or rolcreatedb or rolcreaterole from pg_roles where rolname = current_user)
    or has_database_privilege(current_database(), 'create')
    or exists (select from pg_namespace n where n.nspname !~ '^pg_' and has_schema_privilege(n.oid, 'create'))
    or exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and (has_table_privilege(c.oid, 'insert') or has_table_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete')
          or has_table_privilege(c.oid, 'truncate'))) as "mayWrite"`
const postgresList = (isOwn: boolean) =>
  sql<TableRow>`select t.name, t.comment from (${postgresTables(isOwn)}) t order by t.name limit ${mostTables}`

/** This program's own database, read as the caller: what their tenant has nothing in is not there. */
export const ownCatalogue = (db: TenantDb): Omit<Catalogue, 'rights'> => ({
  tables: () => db.all(postgresList(true)),
  columns: table => db.all(postgresColumns(true, table)),
})

const one = <T>([row]: readonly T[]): T => {
  if (row === undefined) throw new Error('a database answered nothing about itself')
  return row
}
export const postgresCatalogue = (db: ForeignDatabase): Catalogue => {
  const run = <T>(statement: RawBuilder<T>): Promise<T[]> => {
    const { sql: text, parameters } = statement.compile(builder)
    return db.rows<T>(text, parameters)
  }
  return {
    tables: () => run(postgresList(false)),
    columns: table => run(postgresColumns(false, table)),
    rights: async () => one(await run(postgresRights)),
  }
}

const systemSchemas = "('mysql', 'sys', 'information_schema', 'performance_schema')"
const mysqlTables = `
  select t.table_name as name, case when t.table_type = 'VIEW' then '' else t.table_comment end as comment
  from information_schema.tables t
  where t.table_schema = database() and t.table_schema not in ${systemSchemas} and t.table_type in ('BASE TABLE', 'VIEW')
  order by t.table_name limit ${mostTables}`
const mysqlColumns = `
  select c.column_name as name, c.column_comment as comment, c.column_type as type, c.is_nullable = 'YES' as isNullable,
    c.column_default is not null or c.extra like '%auto_increment%' as hasDefault, coalesce(c.generation_expression, '') <> '' as isGenerated,
    c.column_key = 'PRI' as isKey, c.column_key = 'UNI' as isUnique,
    exists (select 1 from information_schema.key_column_usage k where k.table_schema = c.table_schema and k.table_name = c.table_name
      and k.column_name = c.column_name and k.referenced_table_name is not null) as isForeign
  from information_schema.columns c
  where c.table_schema = database() and c.table_schema not in ${systemSchemas} and c.table_name = ?
  order by c.ordinal_position limit ${mostColumns}`
/** Whoever sees rights of others may write too, so all that can be seen is looked at. */
const reading = "('USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES')"
const mysqlRights = `
  select version() as version,
    exists (select 1 from information_schema.user_privileges where privilege_type not in ${reading})
    or exists (select 1 from information_schema.schema_privileges where privilege_type not in ${reading})
    or exists (select 1 from information_schema.table_privileges where privilege_type not in ${reading})
    or exists (select 1 from information_schema.column_privileges where privilege_type not in ${reading}) as mayWrite`

type Numbered<T> = { readonly [K in keyof T]: T[K] extends boolean ? number : T[K] }
export const mysqlCatalogue = (db: ForeignDatabase): Catalogue => ({
  tables: () => db.rows<TableRow>(mysqlTables),
  columns: async table =>
    (await db.rows<Numbered<ColumnRow>>(mysqlColumns, [table])).map(({ name, comment, type, ...marks }) => ({
      name,
      comment,
      type,
      isNullable: marks.isNullable === 1,
      hasDefault: marks.hasDefault === 1,
      isGenerated: marks.isGenerated === 1,
      isKey: marks.isKey === 1,
      isUnique: marks.isUnique === 1,
      isForeign: marks.isForeign === 1,
    })),
  rights: async () => {
    const { version, mayWrite } = one(await db.rows<Numbered<RightsRow>>(mysqlRights))
    return { version, mayWrite: mayWrite === 1 }
  },
})
