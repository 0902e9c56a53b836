import type { Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { resultImport } from './commands/import-results.ts'
import { createKeptScores } from './commands/keep-scores.ts'
import { releaseProcessor, releaseTasks } from './commands/release.ts'
import { resultInvariants } from './data/invariants.repo.ts'
import { resultHandlers } from './http.ts'

export interface ResultDeps {
  readonly transfer: TransferModule
  readonly message: MessageModule
}
export interface ResultModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** Kept scores of an examination (`tenant exam`), or all. */
  readonly forget: (which?: string) => void
}
export const createResultModule = (services: Services, deps: ResultDeps): ResultModule => {
  const scores = createKeptScores(services)
  const parts = { services, scores, message: deps.message, runImport: deps.transfer.createImporter(resultImport) }
  return {
    invariants: resultInvariants,
    handlers: resultHandlers(parts),
    tasks: releaseTasks(parts),
    processors: [releaseProcessor(parts)],
    forget: scores.forget,
  }
}
