import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export const lockDatasource = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from datasource where id = ${id} and not is_deleted for update`)) !== undefined

export const findAddress = (db: TenantDb, id: string): Promise<{ url: string; driverClass: string } | undefined> =>
  db.maybe(
    sql<{
      url: string
      driverClass: string
    }>`select url, driver_class as "driverClass" from datasource where id = ${id} and not is_deleted`,
  )

/** @param sealed - null takes the password away */
export const setDatasourcePassword = async (db: TenantDb, id: string, sealed: Buffer | null): Promise<void> => {
  await db.run(sql`
    update datasource set password_sealed = ${sealed}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}

export interface SourceRow {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly host: string
  readonly port: number
  readonly databaseName: string
  readonly username: string
  readonly sealed: Buffer | null
}
export const findSource = (db: TenantDb, id: string): Promise<SourceRow | undefined> =>
  db.maybe(
    sql<SourceRow>`
      select id::text as id, name, kind, host, port, database_name as "databaseName", username, password_sealed as sealed
      from datasource where id = ${id} and not is_deleted`,
  )
