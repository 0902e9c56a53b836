import type { Language } from '#contract/kernel/label.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import type { SmsServices } from './providers/accounts.ts'

/** A payment that the provider has signed for. */
export interface RechargePayment {
  readonly orderNo: string
  readonly transactionId: string
  readonly amountFen: number
  readonly currency: string
  readonly mchid: string
  readonly appid: string
  readonly successTime: Date
  /** What we gave along with the order: whose it is. */
  readonly attach: string
}

/** The platform's merchant, as purchases need it; bound by the application because payments stand on messages. */
export interface RechargeGateway {
  /** Undefined while the platform has no merchant. */
  readonly merchant: () => Promise<{ readonly mchid: string; readonly appid: string } | undefined>
  /** Repeatable by its number. @returns undefined where the provider did not take it, or has not said so */
  readonly open: (order: {
    readonly orderNo: string
    readonly amountFen: number
    readonly description: string
    readonly expiresAt: Date
    readonly attach: string
  }) => Promise<string | undefined>
  readonly ask: (
    orderNo: string,
  ) => Promise<{ readonly kind: 'paid'; readonly payment: RechargePayment } | { readonly kind: 'open' | 'closed' | 'none' | 'unknown' }>
  readonly close: (orderNo: string) => Promise<'closed' | 'paid' | 'unknown'>
  readonly demoPayUrl: (codeUrl: string, language: Language) => string | null
}

export interface MessageDeps {
  /** Hosts under which people reach the tenant: links to others are sent to nobody. */
  readonly ownHosts: (db: TenantDb) => Promise<readonly string[]>
  /** Address under which people reach the tenant, without a path. */
  readonly ownOrigin: (db: TenantDb) => Promise<string>
  readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** What a client has sealed; bound by the application because log-in stands on messages. */
  readonly openSecret: (db: TenantDb, cipherHex: string) => Promise<string>
  readonly recharge: RechargeGateway
  readonly transfer: TransferModule
}

/** What every command of this module works with. */
export interface MessageKit {
  readonly services: Services
  readonly deps: MessageDeps
  readonly sms: SmsServices
}

/** A transaction of the program itself in a tenant, as work of the queue needs one before and after it calls a provider. */
export const inTenant = <T>(
  { services: { scopes, clock } }: MessageKit,
  tenantId: string,
  work: (db: TenantDb) => Promise<T>,
): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)
