import type { TenantDb } from '#kernel/db/scope.ts'
import type { Holding } from '#kernel/holding.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { AuthModule } from '#modules/auth/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'

export interface OrganisationDeps {
  readonly services: Services
  readonly auth: AuthModule
  readonly files: FileModule
  readonly message: MessageModule
  readonly transfer: TransferModule
  /** Gives somebody who has just registered what schools have filled in for them; bound by the application because sign-up stands on accounts. @returns how many sign-ups */
  readonly takeInvitations: (db: TenantDb, ctx: Ctx, userId: string) => Promise<number>
  /** Every kind of open work of the program; known when all of it is composed. */
  readonly holdings: () => readonly Holding[]
  /** Whether a password, in lower case, stands on the list of 10,000 common ones. */
  readonly isCommonPassword: (lowerCasePassword: string) => boolean
  /** What a password must not hold: account, name, phone and organisation of the person. */
  readonly wordsOf: (db: TenantDb, userId: string) => Promise<readonly string[]>
}
