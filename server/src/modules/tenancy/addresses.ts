import { platformTenant } from '#contract/kernel/platform.ts'
import type { Services } from '#server/services.ts'
import type { Site } from './data/tenant.repo.ts'

/** Addresses of one tenant: of its own domain, else of the installation with its number where it is not the first. */
export interface Addresses {
  readonly of: (path: string) => string
  readonly feed: string
}
export const addressesOf = ({ config }: Pick<Services, 'config'>, site: Site, tenantId: string): Addresses => {
  const { publicUrl, port } = config
  const own = site.domain === null ? undefined : /^https?:\/\//.test(site.domain) ? site.domain : undefined
  const origin = own ? new URL(own).origin : (publicUrl ?? `http://localhost:${port}`)
  const suffix = own || tenantId === platformTenant ? '' : `?tenantId=${tenantId}`
  const of = (path: string) => `${origin}${path}${suffix}`
  return { of, feed: of('/rss.xml') }
}
