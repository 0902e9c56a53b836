import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'

export type { ExamRow } from './data/exam.repo.ts'
export { findExam, findExams, lockExam, lockExamForChange } from './data/exam.repo.ts'
export type { PhotoPixels, SignFileRow, SignItemRow } from './data/form.repo.ts'
export { listSignFiles, listSignItems } from './data/form.repo.ts'
export type { PaperRow, RoomSpec } from './data/paper.repo.ts'
export { findPaper, listPapers, listPapersOf } from './data/paper.repo.ts'
export type { PostRow } from './data/post.repo.ts'
export { findPost, freeSeat, listPosts, takeSeat } from './data/post.repo.ts'

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
