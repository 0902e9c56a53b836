import type { FlowValue } from '#contract/flow/condition.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Holding } from '#kernel/holding.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import { leaveHook, leaveTable } from './commands/leave.ts'
import { timerTask } from './commands/timers.ts'
import { completeWithin, startProcess, withdrawWithin } from './commands/work-tasks.ts'
import { findNewest } from './data/definition.repo.ts'
import { flowInvariants } from './data/invariants.repo.ts'
import { findOpen } from './data/work.repo.ts'
import type { BusinessHook, FlowDeps } from './deps.ts'
import { flowHoldings } from './holdings.ts'
import { workHandlers } from './http.ts'
import { modelHandlers } from './http-model.ts'

/** What other contexts do with processes: all of it within their own transaction, as the system of the tenant in the caller's name. */
export interface FlowEngine {
  /** Starts the newest version of this process about a row of theirs. @returns its id; undefined where there is no active one */
  readonly start: (db: TenantDb, ctx: Ctx, start: BusinessStart) => Promise<string | undefined>
  /** The process that runs about this row, with the caller's open task in it. */
  readonly findOpen: typeof findOpen
  /** The row was taken back by whoever asked: what runs about it ends. */
  readonly withdraw: (db: TenantDb, ctx: Ctx, instanceId: string) => Promise<void>
  /** Completes it as the caller. */
  readonly complete: (db: TenantDb, ctx: Ctx, taskId: string, isAgreed: boolean, comment: string) => Promise<void>
  /** What follows for rows of a table from where their process gets to; bound when the program is composed. */
  readonly decides: (businessTable: string, hook: BusinessHook) => void
}
interface BusinessStart {
  readonly key: string
  readonly businessTable: string
  readonly businessId: string
  readonly title: string
  readonly startUser: string
  readonly values: Readonly<Record<string, FlowValue>>
  /** Whether a refusal the drawing has no way for goes back to the applicant; otherwise it ends the process. */
  readonly canReturn: boolean
}

/** Processes as they are drawn, and the tasks that people get from them. */
export interface FlowModule extends FlowEngine {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly holdings: readonly Holding[]
  readonly tasks: readonly Task[]
}

export const createFlowModule = (services: Services, message: MessageModule): FlowModule => {
  const deps: FlowDeps = { services, message, hooks: new Map([[leaveTable, leaveHook]]) }
  return {
    invariants: flowInvariants,
    holdings: flowHoldings(deps),
    handlers: [...modelHandlers(deps), ...workHandlers(deps)],
    tasks: [timerTask(deps)],
    start: async (db, ctx, { key, ...start }) => {
      const definition = await findNewest(db, key)
      if (definition?.state !== 'active') return undefined
      return (await startProcess(deps, db, ctx, { ...start, processDefinitionId: definition.id })).id
    },
    findOpen,
    withdraw: (db, ctx, instanceId) => withdrawWithin(deps, db, ctx, instanceId),
    complete: async (db, ctx, taskId, isAgreed, comment) => {
      await completeWithin(deps, db, ctx, { taskId, comment, ...(isAgreed ? { flag: 'ok' } : {}) })
    },
    decides: (businessTable, hook) => void deps.hooks.set(businessTable, hook),
  }
}
