import type { TenantDb } from '#kernel/db/scope.ts'
import type { AuthModule } from '#modules/auth/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'

export interface TenancyDeps {
  readonly services: Services
  readonly auth: AuthModule
  readonly transfer: TransferModule
  /** Everything that a new tenant begins with: roles, menus, dictionaries, parameters, libraries, schools. */
  readonly fillTenant: (db: TenantDb) => Promise<void>
}
