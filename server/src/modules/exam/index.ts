import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'
import { createNouns } from './commands/nouns.ts'
import type { CloseHook } from './commands/release-exam.ts'
import { examHandlers } from './http.ts'
import { createImports, type Importer } from './imports/importer.ts'
import { postImport } from './imports/posts.ts'

export type { ExamRow } from './data/exam.repo.ts'
export { findExam, findExams, lockExam } from './data/exam.repo.ts'
export { listChanges } from './data/exam-write.repo.ts'
export type { FormNames, SignFileRow, SignItemRow } from './data/form.repo.ts'
export { findFormStamp, listFormNames, listSignFiles, listSignItems } from './data/form.repo.ts'
export type { PaperRow, RoomSpec } from './data/paper.repo.ts'
export { findPaper, listPapers, listPapersOf } from './data/paper.repo.ts'
export type { PostRow, PostShown } from './data/post.repo.ts'
export { findPost, findPosts, findPostsShown, freeSeat, listPosts, takeSeat } from './data/post.repo.ts'
export { missingErrors, openResultSheet, type ResultInput, type ResultTicket, resultColumns } from './domain/result-sheet.ts'
export { failRepeated, type HeaderSpec, isScientific, openSheet, type RowReader, requiredReason, sameAsReason } from './domain/sheet.ts'
export type { RunImport } from './imports/importer.ts'
export type { ImportDefinition } from './imports/run-import.ts'
export { templateBook } from './imports/template-book.ts'

export interface ExamDeps {
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
}
export interface ExamModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Adds a kind of import (T6 …) to the framework: protocol, progress, error workbook and template of domain 5.9. */
  readonly createImporter: Importer['createImporter']
  /** Work of another module that belongs to closing an examination, in the same transaction. */
  readonly onClose: (hook: CloseHook) => void
  /** The same of a release. */
  readonly onRelease: (hook: CloseHook) => void
  /** The same of moving the end of payments, either way. */
  readonly onPayEndMoved: (hook: CloseHook) => void
}

export const createExamModule = (services: Services, deps: ExamDeps): ExamModule => {
  const nouns = createNouns(services.cipher, deps.file)
  const imports = createImports(services, deps.file)
  const importPosts = imports.createImporter(postImport(deps.system))
  const closeHooks: CloseHook[] = []
  const releaseHooks: CloseHook[] = []
  const moveHooks: CloseHook[] = []
  return {
    handlers: [
      ...examHandlers({ services, system: deps.system, nouns, importPosts, closeHooks, releaseHooks, moveHooks }),
      ...nouns.handlers,
      ...imports.handlers,
    ],
    tasks: imports.tasks,
    createImporter: imports.createImporter,
    onClose: hook => void closeHooks.push(hook),
    onRelease: hook => void releaseHooks.push(hook),
    onPayEndMoved: hook => void moveHooks.push(hook),
  }
}
