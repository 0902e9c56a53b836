import { refuse } from '#contract/kernel/errors.ts'
import { deptTemplate, importDepts } from '#contract/person/dept-import.routes.ts'
import { dictImports, paramImport, postImport } from '#contract/person/noun-import.routes.ts'
import { importRegions, regionTemplate } from '#contract/person/region-import.routes.ts'
import { importUsers, userTemplate } from '#contract/person/user-import.routes.ts'
import { keeperRoles } from '#contract/system/role.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { isRuled } from '#kernel/http/field-rule.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { ImportDefinition } from '#modules/exam/index.ts'
import { closingTask, startClosing } from './commands/close-account.ts'
import { orderReminders, remindersTask } from './commands/reminders.ts'
import type { PersonDeps } from './deps.ts'
import { homeHandlers } from './home.ts'
import { personHandlers } from './http.ts'
import { appealHandlers } from './http-appeal.ts'
import { verifiedChangeHandlers } from './http-verified-change.ts'
import { deptImport } from './imports/depts.ts'
import { dictImport } from './imports/dicts.ts'
import { nounImport } from './imports/nouns.ts'
import { regionImport } from './imports/regions.ts'
import { templateAnswer } from './imports/shared.ts'
import { userImport } from './imports/users.ts'

/**
 * The queue writes it, and it may put people anywhere, with any role whose buttons the importer has: only for who sees all rows of accounts, and,
 * unless they keep the tenant's rights, every row and field of whatever else they see.
 */
const mayImportUsers = ({ session }: Ctx): boolean => {
  if (!session || isNarrowed(session, 'user')) return false
  if (keeperRoles.some(alias => session.roleAliases.has(alias))) return true
  return session.departments === null && !session.rowRules.some(({ resource }) => isNarrowed(session, resource)) && !isRuled(session)
}

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
  const { nouns } = deps.system
  /** A template and an import of what is known by a code: for who sees all rows and fields of it. */
  const known = <T>(
    { run, template }: typeof postImport | typeof paramImport | (typeof dictImports)['dict' | 'dictBiz'],
    of: ImportDefinition<T>,
    code: string,
  ): Handler[] => {
    const start = deps.exam.createImporter(of)
    return [
      handle(template, ({ ctx }) => templateAnswer(ctx, of)),
      handle(run, async ({ ctx, input }) =>
        isNarrowed(ctx.session, code) || isRuled(ctx.session) ? refuse('kernel/whole-needed', {}) : start(ctx, run.path, input),
      ),
    ]
  }
  return {
    handlers: [
      ...known(dictImports.dict, dictImport(deps.system, 'dict'), 'dict'),
      ...known(dictImports.dictBiz, dictImport(deps.system, 'dict_biz'), 'dictbiz'),
      ...known(postImport, nounImport(deps.system, nouns.post), 'post'),
      ...known(paramImport, nounImport(deps.system, nouns.param), 'param'),
      ...homeHandlers(deps.message),
      ...personHandlers(deps),
      ...verifiedChangeHandlers(deps),
      ...appealHandlers(deps),
      handle(userTemplate, ({ ctx }) => templateAnswer(ctx, users)),
      handle(importUsers, async ({ ctx, input }) =>
        mayImportUsers(ctx) ? runUsers(ctx, importUsers.path, input) : refuse('kernel/whole-needed', {}),
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
