import type { Holding } from '#kernel/holding.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { type CodesDeps, codesReach } from './commands/codes-reach.ts'
import { createNouns } from './commands/nouns.ts'
import type { CloseHook } from './commands/release-exam.ts'
import type { CheckOutside } from './commands/release-problems.ts'
import { examHoldings } from './data/holdings.repo.ts'
import { examHandlers } from './http.ts'
import { postImport } from './imports/posts.ts'
import { createOpenExams } from './open/board.ts'
import { type OpenPagesDeps, openAddresses, openPages } from './open/pages.ts'

export interface ExamDeps {
  readonly transfer: TransferModule
  readonly file: FileModule
  readonly message: MessageModule
  readonly parametersOf: CodesDeps['parametersOf']
}
export interface ExamModule {
  readonly handlers: readonly Handler[]
  readonly holdings: readonly Holding[]
  readonly tasks: readonly Task[]
  /** Pages that anybody may open; announcements are told by a module that comes later. */
  readonly pages: (noticesOf: OpenPagesDeps['noticesOf']) => readonly PublicPage[]
  readonly publicPages: (tenantId: string) => ReturnType<typeof openAddresses>
  /** Work of another module that belongs to closing an examination, in the same transaction. */
  readonly onClose: (hook: CloseHook) => void
  /** The same of a release. */
  readonly onRelease: (hook: CloseHook) => void
  /** The same of moving the end of payments, either way. */
  readonly onPayEndMoved: (hook: CloseHook) => void
  /** What the release check asks about beside the examination itself. */
  readonly outside: CheckOutside
}

export const createExamModule = (services: Services, deps: ExamDeps): ExamModule => {
  const nouns = createNouns(services.cipher, deps.file)
  const importPosts = deps.transfer.createImporter(postImport)
  const open = createOpenExams(services)
  const closeHooks: CloseHook[] = []
  const releaseHooks: CloseHook[] = []
  const moveHooks: CloseHook[] = []
  const outside = codesReach(deps)
  return {
    handlers: [
      ...examHandlers({ services, file: deps.file, open, nouns, importPosts, closeHooks, releaseHooks, moveHooks, outside }),
      ...nouns.handlers,
    ],
    tasks: [],
    holdings: examHoldings,
    pages: noticesOf => openPages({ services, open, noticesOf }),
    publicPages: tenantId => openAddresses(open, tenantId),
    onClose: hook => void closeHooks.push(hook),
    onRelease: hook => void releaseHooks.push(hook),
    onPayEndMoved: hook => void moveHooks.push(hook),
    outside,
  }
}
