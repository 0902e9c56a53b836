import { platformTenant } from '#contract/kernel/platform.ts'
import type { Services } from '#server/services.ts'
import type { Site } from './data/tenant.repo.ts'

/** Addresses of one tenant: of its own domain, else of the installation with its number where it is not the first. */
export interface Addresses {
  readonly of: (path: string) => string
  /** Without a path, as `https://exam.example.cn`; `tenant` is what has to be said beside it where several tenants share it. */
  readonly origin: string
  readonly tenant: string
  readonly feed: string
}
/** Of the installation, as `https://exam.example.cn`. */
export const originOf = ({ publicUrl, port }: Pick<Services['config'], 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${port}`

export const addressesOf = ({ config }: Pick<Services, 'config'>, site: Site, tenantId: string): Addresses => {
  const own = site.domain === null ? undefined : /^https?:\/\//.test(site.domain) ? site.domain : undefined
  const origin = own ? new URL(own).origin : originOf(config)
  const tenant = own || tenantId === platformTenant ? '' : tenantId
  const suffix = tenant === '' ? '' : `?tenantId=${tenantId}`
  const of = (path: string) => `${origin}${path}${suffix}`
  return { of, origin, tenant, feed: of('/rss.xml') }
}
