import type { Handler } from '#kernel/http/context.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { Services } from '#server/services.ts'
import type { SelectionDeps } from './deps.ts'
import { selectionHandlers } from './http.ts'
import { deadlineProcessor } from './jobs/deadlines.ts'
import { remindProcessor } from './jobs/remind.ts'

export interface SelectionModule {
  readonly handlers: readonly Handler[]
  readonly processors: readonly Processor[]
}
export const createSelectionModule = (services: Services, deps: SelectionDeps): SelectionModule => {
  const kit = { services, ...deps }
  return { handlers: selectionHandlers(kit), processors: [deadlineProcessor(kit), remindProcessor(kit)] }
}
