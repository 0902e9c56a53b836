import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface StorageRow {
  readonly tenantId: string
  readonly id: string
  readonly category: string
  readonly code: string
  readonly endpoint: string
  readonly transformEndpoint: string
  readonly bucketName: string
  readonly accessKey: string
  readonly secret: Buffer | null
  readonly region: string
  readonly appId: string
  readonly remark: string
  /** 1 off, 2 on. */
  readonly status: number
  readonly isDeleted: boolean
  readonly version: number
}
const columns = sql`
  tenant_id as "tenantId", id::text as id, category, oss_code as code, coalesce(endpoint, '') as endpoint, coalesce(transform_endpoint, '') as "transformEndpoint",
  coalesce(bucket_name, '') as "bucketName", coalesce(access_key, '') as "accessKey", key_sealed as secret, coalesce(region, '') as region,
  coalesce(app_id, '') as "appId", coalesce(remark, '') as remark, status, is_deleted as "isDeleted", version`

/** Those that were removed too: a file may still be on its way out of one. */
export const listAllStorages = (db: PlatformDb): Promise<StorageRow[]> => db.all(sql<StorageRow>`select ${columns} from oss order by id`)
export const findStorage = (db: TenantDb, id: string): Promise<StorageRow | undefined> =>
  db.maybe(sql<StorageRow>`select ${columns} from oss where id = ${id} and not is_deleted`)
export const findStorageByCode = (db: TenantDb, code: string): Promise<StorageRow | undefined> =>
  db.maybe(sql<StorageRow>`select ${columns} from oss where oss_code = ${code} and not is_deleted`)
/** All of the tenant, in one order, so that those who switch wait for each other. */
export const lockStorages = (db: TenantDb): Promise<StorageRow[]> =>
  db.all(sql<StorageRow>`select ${columns} from oss where not is_deleted order by id for update`)

export type StorageValues = Pick<
  StorageRow,
  'id' | 'category' | 'code' | 'endpoint' | 'transformEndpoint' | 'bucketName' | 'accessKey' | 'region' | 'appId' | 'remark'
> & {
  /** Undefined: stays as it is. */
  readonly secret: Buffer | undefined
}
export const insertStorage = async (db: TenantDb, s: StorageValues): Promise<void> => {
  await db.run(sql`
    insert into oss (tenant_id, id, category, oss_code, endpoint, transform_endpoint, bucket_name, access_key, key_sealed, region, app_id, remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${s.id}, ${s.category}, ${s.code}, ${s.endpoint}, ${s.transformEndpoint}, ${s.bucketName}, ${s.accessKey}, ${s.secret ?? null}, ${s.region},
      ${s.appId}, ${s.remark}, ${db.actor.userId}, ${db.actor.userId})`)
}
export const updateStorage = async (db: TenantDb, s: StorageValues): Promise<void> => {
  await db.run(sql`
    update oss set category = ${s.category}, oss_code = ${s.code}, endpoint = ${s.endpoint}, transform_endpoint = ${s.transformEndpoint}, bucket_name = ${s.bucketName},
      access_key = ${s.accessKey}, key_sealed = coalesce(${s.secret ?? null}, key_sealed), region = ${s.region}, app_id = ${s.appId}, remark = ${s.remark},
      updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${s.id}`)
}
export const removeStorage = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update oss set is_deleted = true, status = 1, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}
/** Switches one on and the others off. */
export const enableStorage = async (db: TenantDb, id: string): Promise<void> => {
  // The one that is on goes off first: only one may be.
  await db.run(sql`
    update oss set status = 1, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where status = 2 and id <> ${id} and not is_deleted`)
  await db.run(sql`
    update oss set status = 2, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where status = 1 and id = ${id} and not is_deleted`)
}

/** Files of all tenants that lie in a storage. */
export const countFilesIn = async (db: PlatformDb, storageId: string): Promise<number> =>
  Number((await db.one(sql<{ files: string }>`select count(*) as files from stored_file where storage_id = ${storageId}`)).files)

export interface Lying {
  readonly tenantId: string
  readonly storageId: string | null
  readonly files: string
  readonly bytes: string
}
/** How much lies where, by tenant. */
export const countByPlace = (db: PlatformDb | TenantDb): Promise<Lying[]> =>
  db.all(sql<Lying>`
    select tenant_id as "tenantId", storage_id::text as "storageId", count(*)::text as files, coalesce(sum(size_bytes), 0)::text as bytes
    from stored_file group by tenant_id, storage_id order by tenant_id, storage_id nulls first`)
