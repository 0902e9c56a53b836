import type { Clock } from '#kernel/clock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { SmsTemplate } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface AuthDeps {
  readonly services: Services
  /** Sessions, captchas and codes live in real time: moving the demo's clock must not log everybody out. */
  readonly clock: Clock
  readonly settings: {
    /** Wrong tries before a lock: parameter `account.failCount` of the tenant. */
    readonly failLimit: (db: TenantDb) => Promise<number>
    readonly captchaOn: boolean
  }
  /** Where the picture of an account can be seen, for this reader and ten minutes. */
  readonly avatarLink: (reader: { tenantId: string; userId: string }, fileId: string, now: Date) => string
  /** Sends an SMS as part of the transaction. */
  readonly sendSms: (
    db: TenantDb,
    message: { phone: string; template: SmsTemplate; params: Readonly<Record<string, string>>; userId: string | null },
  ) => Promise<void>
}
