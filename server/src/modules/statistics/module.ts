import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { createFigures, statisticsHandlers } from './http.ts'
import { overviewHandlers } from './overview.ts'

export interface StatisticsModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Forgets every figure. */
  readonly clearCache: () => void
}
export const createStatisticsModule = (): StatisticsModule => {
  const figures = createFigures()
  return { handlers: [...statisticsHandlers(figures), ...overviewHandlers()], tasks: [], clearCache: figures.clear }
}
