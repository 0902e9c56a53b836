import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A service of text messages, its key sealed. */
export interface ServiceRow {
  readonly id: string
  readonly category: string
  readonly smsCode: string
  readonly signName: string
  readonly templateId: string
  readonly accessKey: string
  readonly secret: Buffer
  readonly regionId: string
  readonly appId: string
  readonly remark: string
  readonly status: number
  readonly version: number
}
const columns = sql`
  id::text as id, category, sms_code as "smsCode", sign_name as "signName", template_id as "templateId", access_key as "accessKey",
  secret_key_sealed as secret, region_id as "regionId", app_id as "appId", coalesce(remark, '') as remark, status, version`

/** Also one that was removed: messages that were given to it are still asked about. */
export const findService = (db: TenantDb, id: string): Promise<ServiceRow | undefined> =>
  db.maybe(sql<ServiceRow>`select ${columns} from sms_provider where id = ${id}`)
/** All of the tenant, also those that were removed. */
export const listServices = (db: TenantDb): Promise<(ServiceRow & { isDeleted: boolean })[]> =>
  db.all(sql<ServiceRow & { isDeleted: boolean }>`select ${columns}, is_deleted as "isDeleted" from sms_provider order by id`)
export const findServiceOn = (db: TenantDb): Promise<ServiceRow | undefined> =>
  db.maybe(sql<ServiceRow>`select ${columns} from sms_provider where status = 2 and not is_deleted`)
export const findServiceByCode = (db: TenantDb, code: string): Promise<ServiceRow | undefined> =>
  db.maybe(sql<ServiceRow>`select ${columns} from sms_provider where sms_code = ${code} and not is_deleted`)
export const lockService = (db: TenantDb, id: string): Promise<ServiceRow | undefined> =>
  db.maybe(sql<ServiceRow>`select ${columns} from sms_provider where id = ${id} and not is_deleted for update`)

export type ServiceValues = Omit<ServiceRow, 'secret' | 'status' | 'version'> & {
  /** Undefined: stays as it is. */
  readonly secret: Buffer | undefined
}
export const insertService = async (db: TenantDb, row: ServiceValues): Promise<void> => {
  await db.run(sql`
    insert into sms_provider (tenant_id, id, category, sms_code, sign_name, template_id, access_key, secret_key_sealed, region_id, app_id, remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${row.id}, ${row.category}, ${row.smsCode}, ${row.signName}, ${row.templateId}, ${row.accessKey}, ${row.secret ?? null},
      ${row.regionId}, ${row.appId}, ${row.remark}, ${db.actor.userId}, ${db.actor.userId})`)
}
export const updateService = async (db: TenantDb, row: ServiceValues): Promise<void> => {
  await db.run(sql`
    update sms_provider set category = ${row.category}, sms_code = ${row.smsCode}, sign_name = ${row.signName}, template_id = ${row.templateId},
      access_key = ${row.accessKey}, secret_key_sealed = coalesce(${row.secret ?? null}, secret_key_sealed), region_id = ${row.regionId},
      app_id = ${row.appId}, remark = ${row.remark}, problem = '', updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${row.id}`)
}
export const removeService = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update sms_provider set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}
/** All services of the tenant, held until the transaction ends: two that switch at once come one after the other. */
export const lockServices = async (db: TenantDb): Promise<void> => {
  await db.all(sql`select 1 from sms_provider where not is_deleted order by id for update`)
}
/** Switches one on and the others off; none where it is null. */
export const switchOn = async (db: TenantDb, id: string | null): Promise<void> => {
  const touched = sql`updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1`
  await db.run(sql`update sms_provider set status = 1, ${touched} where status = 2 and not is_deleted and id is distinct from ${id}`)
  if (id !== null) await db.run(sql`update sms_provider set status = 2, problem = '', ${touched} where id = ${id} and status = 1`)
}
export const noteServiceProblem = async (db: TenantDb, id: string, problem: string): Promise<void> => {
  await db.run(
    sql`update sms_provider set problem = ${problem.slice(0, 300)} where id = ${id} and problem is distinct from ${problem.slice(0, 300)}`,
  )
}
