import type { Hold } from '#kernel/hold.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { PayModule } from '#modules/pay/index.ts'
import type { Services } from '#server/services.ts'

export interface InstallationDeps {
  readonly services: Services
  readonly message: Pick<MessageModule, 'notify' | 'codeProblem' | 'sendTrialCode'>
  readonly pay: Pick<PayModule, 'listChannels' | 'tryAccounts'>
  /** Where new files of a tenant go: the name of its storage, or undefined for the disk. */
  readonly storageOf: (tenantId: string) => Promise<{ readonly id: string; readonly name: string } | undefined>
  /** Whether the installation holds back what would leave it. */
  readonly hold: Hold
  readonly listTenants: (now: Date) => Promise<readonly string[]>
}

export interface InstallationKit extends InstallationDeps {
  /** All of the program, once its contexts are there. */
  readonly invariants: () => readonly Invariant[]
  /** No statement of a check takes longer, in milliseconds. */
  readonly statementMs: () => number
}
