import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'

export interface ExamDeps {
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
}
export interface ExamModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
}
export const createExamModule = (_services: Services, _deps: ExamDeps): ExamModule => ({ handlers: [], tasks: [] })
