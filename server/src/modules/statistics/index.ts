import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SignupModule } from '#modules/signup/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'
import { createFigures, statisticsHandlers } from './http.ts'

export interface StatisticsDeps {
  readonly exam: ExamModule
  readonly signup: SignupModule
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
}
export interface StatisticsModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Forgets every figure. */
  readonly clearCache: () => void
}
export const createStatisticsModule = (_services: Services, deps: StatisticsDeps): StatisticsModule => {
  const figures = createFigures()
  return { handlers: statisticsHandlers(deps.system, figures), tasks: [], clearCache: figures.clear }
}
