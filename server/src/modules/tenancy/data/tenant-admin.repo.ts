import { platformTenant } from '#contract/kernel/platform.ts'
import type { TenantRow as TenantWire } from '#contract/tenancy/tenant.routes.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, initialsHold, textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { isSameSite } from '../domain/address.ts'

export type TenantRecord = Omit<TenantWire, 'expireTime' | 'createTime' | 'logoUrl' | 'backgroundUrl'> & {
  readonly expireTime: Date | null
  readonly createTime: Date
  /** When each picture was set, in milliseconds; null without one. */
  readonly logoAt: string | null
  readonly backgroundAt: string | null
}

/** Staff accounts that a tenant has paid for; candidates are not counted. */
const staffOf = (tenant: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select count(*)::int from account a where a.tenant_id = ${tenant} and a.user_type = 1 and a.status in (1, 2, 4) and not a.is_deleted)`
const pictureOf = (kind: string): RawBuilder<unknown> =>
  sql`(select (extract(epoch from p.updated_at) * 1000)::bigint::text from tenant_picture p where p.tenant_id = t.tenant_id and p.kind = ${kind})`

const tenantColumns = sql`
  t.id::text as id, t.tenant_id as "tenantId", t.tenant_name as "tenantName", coalesce(t.domain, '') as domain, coalesce(t.domain, '') as "domainUrl", coalesce(t.contact, '') as linkman,
  coalesce(t.phone, '') as "contactNumber", coalesce(t.address, '') as address, coalesce(t.title_zh, '') as "titleZh", coalesce(t.title_en, '') as "titleEn",
  t.account_number as "accountNumber", ${staffOf(sql`t.tenant_id`)} as "accountCount", t.expire_time as "expireTime",
  coalesce(t.package_id::text, '') as "packageId", coalesce(k.package_name, '') as "packageName",
  coalesce(t.datasource_id::text, '') as "datasourceId", coalesce(d.name, '') as "datasourceName",
  ${pictureOf('logo')} as "logoAt", ${pictureOf('background')} as "backgroundAt", t.status, t.created_at as "createTime", t.version`
const tenantFrom = sql`
  from tenant t left join tenant_package k on k.tenant_id = ${platformTenant} and k.id = t.package_id
  left join datasource d on d.tenant_id = ${platformTenant} and d.id = t.datasource_id`
/** One that is still being made (status 0) is nobody's business. */
const there = sql`not t.is_deleted and t.status <> 0`

export interface TenantFilter {
  readonly tenantId?: string
  readonly tenantName?: string
  readonly linkman?: string
  readonly contactNumber?: string
  readonly status?: number
}

export const pageTenants = async (
  db: PlatformDb,
  filter: TenantFilter,
  limit: number,
  offset: number,
): Promise<{ rows: TenantRecord[]; total: number }> => {
  const where = allOf([
    there,
    filter.tenantId ? codeHolds(sql`t.tenant_id`, filter.tenantId) : undefined,
    filter.tenantName ? initialsHold(sql`t.tenant_name`, filter.tenantName) : undefined,
    filter.linkman ? textHolds(sql`t.contact`, filter.linkman) : undefined,
    filter.contactNumber ? textHolds(sql`t.phone`, filter.contactNumber) : undefined,
    filter.status !== undefined && sql`t.status = ${filter.status}`,
  ])
  const rows = await db.all(
    sql<TenantRecord>`select ${tenantColumns} ${tenantFrom} where ${where} order by t.id desc limit ${limit} offset ${offset}`,
  )
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from tenant t where ${where}`)
  return { rows, total }
}

/** By the row's id or the tenant's number: calls of the framework mix the two (framework-contract 3.1). */
export const findTenantRecord = (db: PlatformDb, idOrNumber: string): Promise<TenantRecord | undefined> =>
  db.maybe(sql<TenantRecord>`
    select ${tenantColumns} ${tenantFrom} where ${there} and (t.tenant_id = ${idOrNumber} or t.id::text = ${idOrNumber})
    order by (t.tenant_id = ${idOrNumber}) desc limit 1`)

/** The rows of these ids, held until the end of the transaction. */
export const lockTenants = async (db: PlatformDb, ids: readonly string[]): Promise<TenantRecord[]> => {
  await db.all(sql`select 1 from tenant t where ${there} and t.id = any(${[...ids]}::bigint[]) order by t.id for update`)
  return db.all(sql<TenantRecord>`select ${tenantColumns} ${tenantFrom} where ${there} and t.id = any(${[...ids]}::bigint[]) order by t.id`)
}

/** Which of two things that only one tenant may have is taken by another one. */
export const takenBy = async (
  db: PlatformDb,
  wanted: { readonly tenantName: string; readonly domain: string },
  exceptId: string | undefined,
): Promise<'tenantName' | 'domain' | undefined> => {
  const others = await db.all(sql<{ isNamed: boolean; domain: string }>`
    select lower(tenant_name) = lower(${wanted.tenantName}) as "isNamed", coalesce(domain, '') as domain
    from tenant where not is_deleted and id is distinct from ${exceptId ?? null}::bigint`)
  if (others.some(other => other.isNamed)) return 'tenantName'
  return others.some(other => isSameSite(other.domain, wanted.domain)) ? 'domain' : undefined
}

export interface TenantValues {
  readonly tenantName: string
  readonly linkman: string
  readonly contactNumber: string
  readonly address: string
  readonly domain: string
  readonly titleZh: string
  readonly titleEn: string
}
const orNull = (text: string): string | null => (text === '' ? null : text)

/** In the transaction that fills it, in the tenant's own name: nobody sees a part of it. */
export const insertTenant = (
  db: TenantDb,
  userId: string,
  tenantId: string,
  v: TenantValues & { readonly accountNumber: number; readonly expireTime: Date | null; readonly packageId: string | null },
): Promise<{ id: string }> =>
  db.one(sql<{ id: string }>`
    insert into tenant (tenant_id, tenant_name, contact, phone, address, domain, title_zh, title_en, account_number, expire_time, package_id, status, created_by, updated_by)
    values (${tenantId}, ${v.tenantName}, ${v.linkman}, ${orNull(v.contactNumber)}, ${orNull(v.address)}, ${orNull(v.domain)}, ${orNull(v.titleZh)}, ${orNull(v.titleEn)},
      ${v.accountNumber}, ${v.expireTime}, ${v.packageId}, 1, ${userId}, ${userId})
    returning id::text as id`)
export const isNumberFree = async (db: PlatformDb, tenantId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from tenant where tenant_id = ${tenantId}`)) === undefined

const touched = (userId: string): RawBuilder<unknown> => sql`updated_at = app_now(), updated_by = ${userId}, version = version + 1`

export const updateTenant = async (db: PlatformDb, userId: string, id: string, v: TenantValues): Promise<void> => {
  await db.run(sql`
    update tenant set tenant_name = ${v.tenantName}, contact = ${v.linkman}, phone = ${orNull(v.contactNumber)}, address = ${orNull(v.address)},
      domain = ${orNull(v.domain)}, title_zh = ${orNull(v.titleZh)}, title_en = ${orNull(v.titleEn)}, ${touched(userId)} where id = ${id}`)
}
export const updateLicence = async (
  db: PlatformDb,
  userId: string,
  ids: readonly string[],
  v: { readonly accountNumber: number | undefined; readonly expireTime: Date | null | undefined },
): Promise<void> => {
  await db.run(sql`
    update tenant set account_number = ${v.accountNumber === undefined ? sql`account_number` : sql`${v.accountNumber}`},
      expire_time = ${v.expireTime === undefined ? sql`expire_time` : sql`${v.expireTime}::timestamptz`}, ${touched(userId)} where id = any(${[...ids]}::bigint[])`)
}
export const assign = async (
  db: PlatformDb,
  userId: string,
  id: string,
  column: 'package_id' | 'datasource_id',
  value: string | null,
): Promise<void> => {
  await db.run(sql`update tenant set ${sql.ref(column)} = ${value}::bigint, ${touched(userId)} where id = ${id}`)
}
export const setTenantState = async (
  db: PlatformDb,
  userId: string,
  ids: readonly string[],
  state: { readonly status: 1 | -1 } | { readonly removed: true },
): Promise<void> => {
  const what = 'status' in state ? sql`status = ${state.status}` : sql`is_deleted = true`
  await db.run(sql`update tenant set ${what}, ${touched(userId)} where id = any(${[...ids]}::bigint[])`)
}

export const endSessionsOfTenants = async (db: PlatformDb, tenantIds: readonly string[], reason: string): Promise<number> => {
  await db.run(sql`update guest_session set ended_at = app_now() where tenant_id = any(${[...tenantIds]}) and ended_at is null`)
  return db.run(
    sql`update session set ended_at = app_now(), end_reason = ${reason} where tenant_id = any(${[...tenantIds]}) and ended_at is null`,
  )
}
/** Sessions of members of staff for whom the tenant's number of accounts leaves no place: the newest accounts beyond it. */
export const endSessionsBeyondQuota = (db: PlatformDb, tenantIds: readonly string[]): Promise<number> =>
  db.run(sql`
    update session s set ended_at = app_now(), end_reason = 'over-quota'
    from account a join tenant t on t.tenant_id = a.tenant_id
    where a.tenant_id = any(${[...tenantIds]}) and s.tenant_id = a.tenant_id and s.user_id = a.id and s.ended_at is null and a.user_type = 1 and t.account_number > 0
      and (select count(*) from account b where b.tenant_id = a.tenant_id and b.user_type = 1 and b.status in (1, 2, 4) and not b.is_deleted and b.id <= a.id) > t.account_number`)

/** A package or data source that can be assigned; held, so that it is not removed meanwhile. */
export const holdPlatformRow = async (db: PlatformDb, table: 'tenant_package' | 'datasource', id: string): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from ${sql.table(table)} where tenant_id = ${platformTenant} and id = ${id} and not is_deleted for share`,
  )) !== undefined

/** Names of live tenants that use one of these rows. */
export const usersOf = async (db: PlatformDb, column: 'package_id' | 'datasource_id', ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(
      sql<{
        name: string
      }>`select tenant_name as name from tenant where ${sql.ref(column)} = any(${[...ids]}::bigint[]) and not is_deleted order by id`,
    )
  ).map(row => row.name)

/** Names, domains and numbers of tenants are given one after another: they are few and made by hand. */
export const lockTenantNames = async (db: PlatformDb): Promise<void> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('tenant names', 0))`)
}

/** The account that administers a new tenant, in its first department, which is named after it, and a first duty post. */
export const insertFirstStaff = async (
  db: TenantDb,
  one: {
    readonly account: string
    readonly accountKey: string
    readonly passwordHash: string
    readonly name: string
    readonly oneTimeUntil: Date
  },
): Promise<string> => {
  const dept = await db.one(sql<{ id: string }>`select id::text as id from dept where parent_id = 0 and not is_deleted`)
  const post = await db.one(sql<{ id: string }>`
    insert into post (tenant_id, category, post_code, post_name, sort) values (${db.actor.tenantId}, '1', 'head', '负责人', 1) returning id::text as id`)
  const { id } = await db.one(sql<{ id: string }>`
    insert into account (tenant_id, account, account_key, password_hash, user_type, nick_name, real_name, dept_id, post_id, must_change_password, one_time_until)
    values (${db.actor.tenantId}, ${one.account}, ${one.accountKey}, ${one.passwordHash}, 1, ${one.name}, ${one.name}, ${dept.id}, ${post.id}, true, ${one.oneTimeUntil})
    returning id::text as id`)
  await db.run(sql`
    insert into account_role (tenant_id, user_id, role_id) select ${db.actor.tenantId}, ${id}, id from role where role_alias = 'admin' and not is_deleted`)
  return id
}
