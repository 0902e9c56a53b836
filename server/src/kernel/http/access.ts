import { platformTenant } from '#contract/kernel/platform.ts'
import type { Access, Route } from '#contract/kernel/route.ts'
import type { Session } from './context.ts'

/** The one answer to whether somebody may act for the platform: in its own tenant, in the role of that name (ADR 0270). */
const isPlatformAdministrator = (session: Session | undefined): boolean =>
  session?.tenantId === platformTenant && session.roleAliases.has('administrator')

/** Whether this session passes the route's gate. Rows are a matter of the next gates, not of this one. */
export const permitted = (access: Access, session: Session): boolean => {
  if ('public' in access || 'signedIn' in access) return true
  if ('guest' in access) return false
  if (session.userType === 2) return 'candidate' in access && access.candidate === 'own'
  if (!('staff' in access)) return false
  if ('platform' in access && !isPlatformAdministrator(session)) return false
  if ('reachesAll' in access && access.reachesAll === 'always' && session.tenantId === platformTenant && !isPlatformAdministrator(session))
    return false
  const codes = typeof access.staff === 'string' ? [access.staff] : access.staff
  return codes.some(code => session.permissions.has(code))
}

/** Whether an API scope keeps this call for roles the caller does not have. It never opens what the permission codes close. */
export const isClosed = (route: Pick<Route, 'method' | 'path'>, session: Session): boolean =>
  session.userType !== 2 && session.closedCalls.includes(`${route.method} ${route.path}`)

/**
 * Whether a call of this route acts for the platform where what is asked says so.
 *
 * @throws Error of a route that does not declare that it may reach all tenants: no sweep would try it
 */
export const actsForPlatform = (
  { method, path, access }: Pick<Route, 'method' | 'path' | 'access'>,
  session: Session | undefined,
): boolean => {
  if (!('platform' in access) && !('reachesAll' in access))
    throw new Error(`${method} ${path} does not declare that it may act for the platform`)
  return isPlatformAdministrator(session)
}
