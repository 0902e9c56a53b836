import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { siteOf } from '../domain/address.ts'

export interface TenantRow {
  readonly tenantId: string
  readonly tenantName: string
  readonly domain: string | null
  /** When each picture was set, in milliseconds. */
  readonly logoAt: string | null
  readonly backgroundAt: string | null
  readonly titleZh: string
  readonly titleEn: string
}

const pictureAt = (kind: string): RawBuilder<unknown> =>
  sql`(select (extract(epoch from p.updated_at) * 1000)::bigint::text from tenant_picture p where p.tenant_id = tenant.tenant_id and p.kind = ${kind})`

/** Title of the platform unless a tenant sets its own (decision 1.1). */
const find = (db: PlatformDb, condition: RawBuilder<unknown>): Promise<TenantRow | undefined> =>
  db.maybe(sql<TenantRow>`
    select tenant_id as "tenantId", tenant_name as "tenantName", domain,
      ${pictureAt('logo')} as "logoAt", ${pictureAt('background')} as "backgroundAt",
      coalesce(title_zh, '区卫生健康系统人才招聘平台') as "titleZh", coalesce(title_en, 'District Health System Talent Recruitment Platform') as "titleEn"
    from tenant where ${condition} and status = 1 and not is_deleted limit 1`)

/** A tenant that a caller names: in the recycle bin too, so that its people are told so and not sent to another tenant's door. */
export const isTenant = async (db: PlatformDb, tenantId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from tenant where tenant_id = ${tenantId} and status <> 0 and not is_deleted`)) !== undefined

export const findTenantById = (db: PlatformDb, tenantId: string): Promise<TenantRow | undefined> => find(db, sql`tenant_id = ${tenantId}`)

/** What the tenant of this scope is called. */
export const findOwnTenantName = async (db: TenantDb): Promise<string> =>
  (await db.one(sql<{ name: string }>`select tenant_name as name from tenant where tenant_id = ${db.actor.tenantId}`)).name

/** By the address of the page, whole or a part of it. Those of tenants stand as they were typed, so they are read and compared as addresses. */
export const findTenantByDomain = async (db: PlatformDb, address: string): Promise<TenantRow | undefined> => {
  const sites = await db.all(sql<{ tenantId: string; domain: string }>`
    select tenant_id as "tenantId", domain from tenant where domain <> '' and status = 1 and not is_deleted order by id`)
  const site = siteOf(address, sites)
  return site && findTenantById(db, site.tenantId)
}

/** Tenants that are not in the recycle bin, in a fixed order. */
export const listTenantsAtWork = async (db: PlatformDb): Promise<string[]> =>
  (await db.all(sql<{ tenantId: string }>`select tenant_id as "tenantId" from tenant where not is_deleted order by tenant_id`)).map(
    row => row.tenantId,
  )

/** What a tenant is called to the public, and where it is. */
export interface Site {
  readonly name: string
  readonly title: string
  readonly domain: string | null
}
export const readSite = (db: TenantDb): Promise<Site> =>
  db.one(sql<Site>`
    select tenant_name as name, coalesce(nullif(title_zh, ''), '区卫生健康系统人才招聘平台') as title, nullif(domain, '') as domain
    from tenant where tenant_id = ${db.actor.tenantId}`)
