import type { Clock } from '#kernel/clock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Outbound } from '#kernel/outbound.ts'
import type { MessageModule, SmsTemplate } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import type { BusyAddress } from './commands/challenge.ts'
import type { LoginKeys } from './commands/open-cipher.ts'
import type { LogBound } from './domain/log-bound.ts'
import type { LoginProvider } from './domain/provider.ts'
import type { FactorRule } from './domain/second-factor.ts'

export interface StaffApplicant {
  readonly account: string
  readonly name: string
  readonly password: string
  readonly phone?: string
  readonly email?: string
}

export interface AuthDeps {
  readonly services: Services
  /** Sessions, captchas and codes live in real time: moving the demo's clock must not log everybody out. */
  readonly clock: Clock
  /** Private keys that passwords and phones may be sealed for. */
  readonly loginKeys: LoginKeys
  readonly settings: {
    /** Wrong tries before a lock: parameter `account.failCount` of the tenant. */
    readonly failLimit: (db: TenantDb) => Promise<number>
    readonly captchaOn: boolean
    /** Parameters `address.…` of the tenant. */
    readonly busyAddress: (db: TenantDb) => Promise<BusyAddress>
    /** Whom a code by SMS logs in: parameters `candidate.smsLogin`, on by default, and `staff.smsLogin`, off by default (security 3.2). */
    readonly smsLogin: (db: TenantDb) => Promise<{ readonly candidate: boolean; readonly staff: boolean }>
    /** Of whom a second factor is demanded; of nobody by default. */
    readonly secondFactor: (db: TenantDb) => Promise<FactorRule>
    /** Parameter `candidate.register` (decision 3.12). */
    readonly candidatesRegister: (db: TenantDb) => Promise<boolean>
    /** Parameter `staff.register`, off by default (decision 3.12). */
    readonly staffRegister: (db: TenantDb) => Promise<boolean>
  }
  /** Providers of identities and the way to them. */
  readonly thirdParty: { readonly providers: () => Promise<readonly LoginProvider[]>; readonly outbound: Outbound }
  /** Where the picture of an account can be seen, for this reader and ten minutes. */
  readonly avatarLink: (reader: { tenantId: string; userId: string }, fileId: string, now: Date) => string
  /** Puts somebody down who asks for an account of a member of staff: it waits for approval. Values are as they came, sealed where they are to be. */
  readonly registerStaff: (ctx: Ctx, applicant: StaffApplicant) => Promise<void>
  /** Bounds the lines that strangers can have written without a captcha. */
  readonly logBound: LogBound
  /** A personal notice, as part of the transaction. */
  readonly notify: MessageModule['notify']
  /** Sends an SMS as part of the transaction. */
  readonly sendSms: (
    db: TenantDb,
    message: { phone: string; template: SmsTemplate; params: Readonly<Record<string, string>>; userId: string | null },
  ) => Promise<void>
}
