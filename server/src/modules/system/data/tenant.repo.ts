import type { PlatformDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** The tenant that is platform and district bureau at once (decision 1.5). */
export const platformTenant = '000000'

export interface TenantRow {
  readonly tenantId: string
  readonly tenantName: string
  readonly domain: string | null
  readonly backgroundUrl: string | null
  readonly titleZh: string
  readonly titleEn: string
}

/** Title of the platform unless a tenant sets its own (decision 1.1). */
const find = (db: PlatformDb, condition: RawBuilder<unknown>): Promise<TenantRow | undefined> =>
  db.maybe(sql<TenantRow>`
    select tenant_id as "tenantId", tenant_name as "tenantName", domain, background_url as "backgroundUrl",
      coalesce(title_zh, '区卫生健康系统人才招聘平台') as "titleZh", coalesce(title_en, 'District Health System Talent Recruitment Platform') as "titleEn"
    from tenant where ${condition} and status = 1 and not is_deleted limit 1`)

export const findTenantById = (db: PlatformDb, tenantId: string): Promise<TenantRow | undefined> => find(db, sql`tenant_id = ${tenantId}`)

/** By the origin of the page, with or without scheme and port. */
export const findTenantByDomain = (db: PlatformDb, domain: string): Promise<TenantRow | undefined> => {
  const host = domain.toLowerCase().replace(/^https?:\/\//, '')
  return find(db, sql`lower(regexp_replace(domain, '^https?://', '')) in (${host}, ${host.replace(/:\d+$/, '')})`)
}
