import type { QueryClient } from '@tanstack/react-query'
import { isApiError } from '../kernel/api-error.ts'
import { loadPermissions } from '../kernel/permission.ts'

/** A page whose parts are all refused asks once. */
const restMs = 5_000

/**
 * Rights are taken away while somebody works: a role that is changed, a package that shrinks. The first list that is refused tells, and menu and
 * buttons are asked for anew.
 */
export const watchRights = (client: QueryClient): (() => void) => {
  let askedAt = Number.NEGATIVE_INFINITY
  return client.getQueryCache().subscribe(event => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const { error } = event.action
    if (!isApiError(error) || error.reason !== 'kernel/forbidden' || performance.now() - askedAt < restMs) return
    askedAt = performance.now()
    void loadPermissions().catch(() => {})
    void client.invalidateQueries({ queryKey: ['shell'] })
  })
}
