import type { TenantDb } from '#kernel/db/scope.ts'
import { isSealed } from '#modules/auth/index.ts'
import type { OrganisationDeps } from '../deps.ts'

/** A number as it is shown, which a form sends back when nobody touched it. */
export const isMasked = (value: string): boolean => value.includes('*')

/** SM2-sealed as this program's pages send it, or as it was typed: clients of the framework seal nothing but the log-in (framework-contract 2.5.5). */
export const openTyped = (deps: Pick<OrganisationDeps, 'auth'>, db: TenantDb, given: string): Promise<string> =>
  isSealed(given) ? deps.auth.openText(db, given) : Promise.resolve(given)
/** The same for a password, which is left as it was typed. */
export const openTypedSecret = (deps: Pick<OrganisationDeps, 'auth'>, db: TenantDb, given: string): Promise<string> =>
  isSealed(given) ? deps.auth.openSecret(db, given) : Promise.resolve(given)
