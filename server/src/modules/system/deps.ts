import type { TenantDb } from '#kernel/db/scope.ts'
import type { AuthModule } from '#modules/auth/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface SystemDeps {
  readonly services: Services
  readonly auth: AuthModule & { readonly accountKey: (account: string) => string }
  readonly files: FileModule
  readonly message: MessageModule
  /** Values of system parameters by key; a key without a row is absent. */
  readonly parameters: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** Everything that a new tenant begins with: roles, menus, dictionaries, parameters, libraries, schools. */
  readonly fillTenant: (db: TenantDb) => Promise<void>
  /** Whether a password, in lower case, stands on the list of 10,000 common ones. */
  readonly isCommonPassword: (lowerCasePassword: string) => boolean
  /** What a password must not hold: account, name, phone and organisation of the person. */
  readonly wordsOf: (db: TenantDb, userId: string) => Promise<readonly string[]>
}
