import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import type { Providers } from './providers/accounts.ts'
import type { PayGateway } from './providers/gateway.ts'

export interface PayDeps {
  readonly transfer: TransferModule
  readonly file: FileModule
  readonly message: MessageModule
  /** News for the sign-up a due belongs to, in the same transaction; bound by the application because sign-up stands on pay. */
  readonly mirrorPayState: (db: TenantDb, signupId: string, state: PayState) => Promise<void>
  readonly gateway: PayGateway
}

/** What every command of this module works with. */
export interface PayKit {
  readonly services: Services
  readonly deps: PayDeps
  readonly providers: Providers
}
