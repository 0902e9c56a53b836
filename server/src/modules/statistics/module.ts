import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { createFigures, statisticsHandlers } from './http.ts'
import { type OverviewDeps, overviewHandlers } from './overview.ts'

export interface StatisticsModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Forgets every figure. */
  readonly clearCache: () => void
}
export const createStatisticsModule = (deps: OverviewDeps): StatisticsModule => {
  const figures = createFigures()
  return { handlers: [...statisticsHandlers(figures), ...overviewHandlers(deps)], tasks: [], clearCache: figures.clear }
}
