import { refuse } from '#contract/kernel/errors.ts'
import { deptTemplate, importDepts } from '#contract/person/dept-import.routes.ts'
import { importRegions, regionTemplate } from '#contract/person/region-import.routes.ts'
import { importUsers, userTemplate } from '#contract/person/user-import.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { closingTask, startClosing } from './commands/close-account.ts'
import { orderReminders, remindersTask } from './commands/reminders.ts'
import type { PersonDeps } from './deps.ts'
import { homeHandlers } from './home.ts'
import { personHandlers } from './http.ts'
import { verifiedChangeHandlers } from './http-verified-change.ts'
import { deptImport } from './imports/depts.ts'
import { regionImport } from './imports/regions.ts'
import { templateAnswer } from './imports/shared.ts'
import { userImport } from './imports/users.ts'

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
  const [users, depts, regions] = [userImport(deps.system), deptImport(deps.system), regionImport(deps.system)]
  const runUsers = deps.exam.createImporter(users)
  const runDepts = deps.exam.createImporter(depts)
  const runRegions = deps.exam.createImporter(regions)
  return {
    handlers: [
      ...homeHandlers(deps.message),
      ...personHandlers(deps),
      ...verifiedChangeHandlers(deps),
      // The queue writes it, and it may put people anywhere.
      handle(userTemplate, ({ ctx }) => templateAnswer(ctx, users)),
      handle(importUsers, async ({ ctx, input }) =>
        isNarrowed(ctx.session, 'user') ? refuse('kernel/whole-needed', {}) : runUsers(ctx, importUsers.path, input),
      ),
      handle(deptTemplate, ({ ctx }) => templateAnswer(ctx, depts)),
      handle(importDepts, async ({ ctx, input }) =>
        isNarrowed(ctx.session, 'dept') ? refuse('kernel/whole-needed', {}) : runDepts(ctx, importDepts.path, input),
      ),
      handle(regionTemplate, ({ ctx }) => templateAnswer(ctx, regions)),
      handle(importRegions, ({ ctx, input: { isCovered = 0, ...input } }) =>
        runRegions(ctx, importRegions.path, { ...input, options: { isCovered } }),
      ),
    ],
    tasks: [closingTask(deps), remindersTask(deps)],
    orderReminders,
    startClosing: tenantId => startClosing(deps, tenantId),
  }
}
