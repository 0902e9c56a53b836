import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { Services } from '#server/services.ts'
import { proposeDisqualifying } from './commands/disqualify.ts'
import { tellCalled, tellTask } from './commands/fill.ts'
import { filesOfReReviews } from './data/person.repo.ts'
import type { SelectionDeps } from './deps.ts'
import { selectionHandlers } from './http.ts'
import { deadlineProcessor } from './jobs/deadlines.ts'
import { remindProcessor } from './jobs/remind.ts'

export interface SelectionModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  readonly proposeDisqualifying: (
    db: TenantDb,
    ctx: Ctx,
    of: { readonly id: string; readonly examId: string },
    reason: string,
  ) => Promise<void>
}
export const createSelectionModule = (services: Services, deps: SelectionDeps): SelectionModule => {
  const kit = { services, ...deps }
  deps.file.spare(filesOfReReviews)
  const tell: Task<{ examId?: string }> = {
    name: tellTask,
    run: async payload => {
      for (let isLeft = true; isLeft; )
        isLeft = await services.scopes.tx(systemOf(payload.tenantId), services.clock.now(), db =>
          tellCalled(kit, db, payload.examId ?? '0'),
        )
    },
  }
  return {
    handlers: selectionHandlers(kit),
    tasks: [tell as Task],
    processors: [deadlineProcessor(kit), remindProcessor(kit)],
    proposeDisqualifying: (db, ctx, of, reason) => proposeDisqualifying(kit, ctx, db, of, reason),
  }
}
