import type { TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { applyAppealTask } from './commands/appeal.ts'
import { closingProcessor } from './commands/close-account.ts'
import { orderReminders, remindersTask } from './commands/reminders.ts'
import { applyChangeTask, followProcess } from './commands/verified-change.ts'
import { courseHandlers } from './course.ts'
import type { PersonDeps } from './deps.ts'
import { findHandlers } from './find.ts'
import { homeHandlers } from './home.ts'
import { personHandlers } from './http.ts'
import { appealHandlers } from './http-appeal.ts'
import { objectionHandlers } from './http-objection.ts'
import { verifiedChangeHandlers } from './http-verified-change.ts'
import { objectPage } from './object-page.ts'

/** What concerns one person across all contexts: what waits for them, who saw their data, what they may take along or end. */
export interface PersonModule {
  readonly handlers: readonly Handler[]
  readonly pages: readonly PublicPage[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** Part of a release: subscribers hear of it. */
  readonly orderReminders: (db: TenantDb, examId: string) => Promise<void>
}

export const createPersonModule = (deps: PersonDeps): PersonModule => {
  deps.flow.decides('verified_change', followProcess(deps))
  return {
    handlers: [
      ...homeHandlers(deps.message, {
        maxHours: deps.services.config.backupMaxHours,
        isNeeded: deps.services.config.profile === 'production',
      }),
      ...personHandlers(deps),
      ...verifiedChangeHandlers(deps),
      ...appealHandlers(deps),
      ...objectionHandlers(deps),
      ...findHandlers(),
      ...courseHandlers(),
    ],
    pages: [objectPage],
    tasks: [remindersTask(deps), applyAppealTask(deps), applyChangeTask(deps)],
    processors: [closingProcessor(deps)],
    orderReminders,
  }
}
