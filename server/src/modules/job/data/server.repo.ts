import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface ServerRow {
  readonly id: string
  readonly name: string
  /** Empty: the scheduler of the program itself. */
  readonly url: string
  readonly appName: string
  readonly password: Buffer | null
  readonly remark: string
  readonly version: number
}
const columns = sql`
  id::text as id, job_server_name as name, job_server_url as url, job_app_name as "appName", password_sealed as password, coalesce(job_remark, '') as remark, version`

export const findServer = (db: TenantDb, id: string): Promise<ServerRow | undefined> =>
  db.maybe(sql<ServerRow>`select ${columns} from job_server where id = ${id} and not is_deleted`)
export const lockServer = (db: TenantDb, id: string): Promise<ServerRow | undefined> =>
  db.maybe(sql<ServerRow>`select ${columns} from job_server where id = ${id} and not is_deleted for update`)
export const listServers = (db: TenantDb): Promise<ServerRow[]> =>
  db.all(sql<ServerRow>`select ${columns} from job_server where not is_deleted order by id`)

export interface ServerValues {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly appName: string
  /** Undefined: stays as it is. */
  readonly password: Buffer | undefined
  readonly remark: string
}
export const insertServer = async (db: TenantDb, { id, name, url, appName, password, remark }: ServerValues): Promise<void> => {
  await db.run(sql`
    insert into job_server (tenant_id, id, job_server_name, job_server_url, job_app_name, password_sealed, job_remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${id}, ${name}, ${url}, ${appName}, ${password ?? null}, ${remark}, ${db.actor.userId}, ${db.actor.userId})`)
}
export const updateServer = async (db: TenantDb, { id, name, url, appName, password, remark }: ServerValues): Promise<void> => {
  await db.run(sql`
    update job_server set job_server_name = ${name}, job_server_url = ${url}, job_app_name = ${appName}, job_remark = ${remark},
      password_sealed = coalesce(${password ?? null}, password_sealed), state = 0, server_version = '', is_open = false, problem = '', checked_time = null,
      updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}
export const removeServer = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update job_server set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}
export const noteConnection = async (
  db: TenantDb,
  id: string,
  found: { readonly state: 1 | 2; readonly version: string; readonly isOpen: boolean; readonly problem: string },
): Promise<void> => {
  await db.run(sql`
    update job_server set state = ${found.state}, server_version = ${found.version}, is_open = ${found.isOpen}, problem = ${found.problem.slice(0, 500)}, checked_time = app_now()
    where id = ${id}`)
}
/** Whether another live server of the tenant has the name, or the application. */
export const findTwin = (
  db: TenantDb,
  of: { id: string | undefined; name: string; url: string; appName: string },
): Promise<{ sameName: boolean } | undefined> =>
  db.maybe(sql<{ sameName: boolean }>`
    select job_server_name = ${of.name} as "sameName" from job_server
    where not is_deleted and (job_server_name = ${of.name} or (job_server_url = ${of.url} and job_app_name = ${of.appName}))
      ${of.id === undefined ? sql`` : sql`and id <> ${of.id}`} order by 1 desc limit 1`)
/** Applications belong to one tenant each: whether one of another has it. */
export const isTakenElsewhere = async (db: PlatformDb, tenantId: string, url: string, appName: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from job_server where tenant_id <> ${tenantId} and not is_deleted and job_app_name = ${appName}
      and string_to_array(job_server_url, ',') && string_to_array(${url}, ',') limit 1`)) !== undefined
