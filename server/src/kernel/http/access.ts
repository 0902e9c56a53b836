import { platformTenant } from '#contract/kernel/platform.ts'
import type { Access, Route } from '#contract/kernel/route.ts'
import type { Session } from './context.ts'

/** Whether this session passes the route's gate. Rows are a matter of the next gates, not of this one. */
export const permitted = (access: Access, session: Session): boolean => {
  if ('public' in access || 'signedIn' in access) return true
  if ('guest' in access) return false
  if (session.userType === 2) return 'candidate' in access && access.candidate === 'own'
  if (!('staff' in access)) return false
  if ('platform' in access && session.tenantId !== platformTenant) return false
  const codes = typeof access.staff === 'string' ? [access.staff] : access.staff
  return codes.some(code => session.permissions.has(code))
}

/** Whether this is somebody who looks after the installation: one of the platform's own tenant, in the role of that name. */
export const isPlatformAdministrator = (session: Session | undefined): boolean =>
  session?.tenantId === platformTenant && session.roleAliases.has('administrator')

/** Whether an API scope keeps this call for roles the caller does not have. It never opens what the permission codes close. */
export const isClosed = (route: Pick<Route, 'method' | 'path'>, session: Session): boolean =>
  session.userType !== 2 && session.closedCalls.includes(`${route.method} ${route.path}`)
