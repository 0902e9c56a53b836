import type { Invariant } from '#kernel/invariant.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface InstallationDeps {
  readonly services: Services
  readonly message: Pick<MessageModule, 'notify'>
  readonly listTenants: (now: Date) => Promise<readonly string[]>
}

export interface InstallationKit extends InstallationDeps {
  /** All of the program, once its contexts are there. */
  readonly invariants: () => readonly Invariant[]
  /** No statement of a check takes longer, in milliseconds. */
  readonly statementMs: () => number
}
