import type { TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { closingTask, startClosing } from './commands/close-account.ts'
import { orderReminders, remindersTask } from './commands/reminders.ts'
import { followProcess } from './commands/verified-change.ts'
import type { PersonDeps } from './deps.ts'
import { homeHandlers } from './home.ts'
import { personHandlers } from './http.ts'
import { appealHandlers } from './http-appeal.ts'
import { verifiedChangeHandlers } from './http-verified-change.ts'

/** What concerns one person across all contexts: what waits for them, who saw their data, what they may take along or end. */
export interface PersonModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Part of a release: subscribers hear of it. */
  readonly orderReminders: (db: TenantDb, examId: string) => Promise<void>
  /** Looks for accounts to close now and every hour. */
  readonly startClosing: (tenantId: string) => Promise<void>
}

export const createPersonModule = (deps: PersonDeps): PersonModule => {
  deps.flow.decides('verified_change', followProcess(deps))
  return {
    handlers: [...homeHandlers(deps.message), ...personHandlers(deps), ...verifiedChangeHandlers(deps), ...appealHandlers(deps)],
    tasks: [closingTask(deps), remindersTask(deps)],
    orderReminders,
    startClosing: tenantId => startClosing(deps, tenantId),
  }
}
