import type { AllowedServers } from '#kernel/allowed-servers.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import type { StoragePlaces } from './places.ts'

export interface StorageDeps {
  readonly places: StoragePlaces
  /** The services that the operator allows. */
  readonly servers: AllowedServers
  /** What was typed as a password, out of its cipher. */
  readonly openSecret: (db: TenantDb, cipher: string) => Promise<string>
}
export interface StorageKit extends StorageDeps {
  readonly services: Services
}
