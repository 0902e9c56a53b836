import type { TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import type { SmsServices } from './providers/accounts.ts'

export interface MessageDeps {
  readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** What a client has sealed; bound by the application because log-in stands on messages. */
  readonly openSecret: (db: TenantDb, cipherHex: string) => Promise<string>
}

/** What every command of this module works with. */
export interface MessageKit {
  readonly services: Services
  readonly deps: MessageDeps
  readonly sms: SmsServices
}
