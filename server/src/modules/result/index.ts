import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SignupModule } from '#modules/signup/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'
import { resultImport } from './commands/import-results.ts'
import { releaseTasks } from './commands/release.ts'
import { resultHandlers } from './http.ts'

export interface ResultDeps {
  readonly exam: ExamModule
  readonly signup: SignupModule
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
}
export interface ResultModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
}
export const createResultModule = (services: Services, deps: ResultDeps): ResultModule => {
  const parts = { services, message: deps.message, system: deps.system, runImport: deps.exam.createImporter(resultImport) }
  return { handlers: resultHandlers(parts), tasks: releaseTasks(parts) }
}
export { orderRanking } from './commands/release.ts'
export { joinByHash } from './data/bulk.ts'
export { unitScopeOf } from './domain/unit-scope.ts'
