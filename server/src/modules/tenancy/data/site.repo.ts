import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

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
