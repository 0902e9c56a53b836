import type { Language } from '#contract/kernel/label.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Outbound } from '#kernel/outbound.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import type { Providers } from './providers/accounts.ts'
import type { WechatPaySettings } from './providers/wechat-channel.ts'

/** Where the provider is. In production its own address; in demo and test an emulator that speaks the same wire (decision 2.12). */
export interface PayGateway {
  readonly outbound: Outbound
  readonly origin: () => Promise<string>
  /** Demo and test: the merchant account of a tenant, made on first use. */
  readonly makeAccount?: (tenantId: string) => Promise<WechatPaySettings>
  /** Demo and test: the page where a person presses "pay". */
  readonly demoPayUrl?: (codeUrl: string, language: Language) => string
}

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
