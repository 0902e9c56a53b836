import { examItem } from '#contract/exam/exam.resources.ts'
import {
  changeItemStatus,
  closeExam,
  dictCodes,
  examById,
  examOwners,
  examPapers,
  exportExams,
  freeExamNo,
  pageExams,
  posts,
  postTree,
  releaseExam,
  removeExams,
  submitExam,
} from '#contract/exam/exam.routes.ts'
import { fitPosts, readFacts, saveFacts } from '#contract/exam/open.routes.ts'
import { importTypeCode } from '#contract/exam/post-import.routes.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type Handler, handle, handleExport } from '#kernel/http/context.ts'
import { held } from '#kernel/http/revalidate.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { examForReading } from './commands/exam-guard.ts'
import { ownersFor } from './commands/exam-owners.ts'
import { planExams } from './commands/export-exams.ts'
import { dictionaryLabels } from './commands/labels.ts'
import type { Nouns } from './commands/nouns.ts'
import { readOwnFacts, saveOwnFacts } from './commands/own-facts.ts'
import { presentPaper, withPosts } from './commands/paper-part.ts'
import { childRows, examDetailOf, pageOfExams } from './commands/read-exam.ts'
import { postsFor, treeOf } from './commands/read-posts.ts'
import { type CloseHook, closeOrReopen, releaseOrWithdraw, removeDrafts } from './commands/release-exam.ts'
import type { CheckOutside } from './commands/release-problems.ts'
import { saveExam } from './commands/save-exam.ts'
import { switchItem } from './commands/switch-item.ts'
import { listTakenNos } from './data/exam.repo.ts'
import { listDictionaries } from './data/library.repo.ts'
import { listPosts, postsVersion } from './data/post.repo.ts'
import { freeNo } from './domain/free-no.ts'
import type { OpenExams } from './open/board.ts'
import { fitFor } from './open/fit-posts.ts'

export interface ExamHttp {
  readonly services: Services
  readonly file: FileModule
  readonly open: OpenExams
  readonly nouns: Nouns
  readonly importPosts: RunImport
  readonly closeHooks: readonly CloseHook[]
  readonly releaseHooks: readonly CloseHook[]
  readonly moveHooks: readonly CloseHook[]
  readonly outside: CheckOutside
}

export const examHandlers = ({
  services,
  file,
  open,
  nouns,
  importPosts,
  closeHooks,
  releaseHooks,
  moveHooks,
  outside,
}: ExamHttp): readonly Handler[] => [
  handle(pageExams, ({ ctx, db, input }) => pageOfExams(ctx, db, input, outside)),
  handleExport(exportExams, ({ ctx, input }) => planExams(ctx, input)),
  handle(examById, ({ ctx, db, input }) => examDetailOf(ctx, db, input.id)),
  handle(examOwners, ({ ctx, db }) => ownersFor(ctx, db)),
  handle(freeExamNo, async ({ ctx, input }) => ({
    examNo: freeNo(await services.scopes.tx(systemOf(ctx.tenantId), ctx.arrivedAt, db => listTakenNos(db, input.year))),
  })),
  handle(submitExam, ({ ctx, db, input }) =>
    saveExam(ctx, db, { nouns, cipher: services.cipher, file, moveHooks }, input as Record<string, unknown>),
  ),
  handle(removeExams, ({ ctx, db, input }) => removeDrafts(ctx, db, idsOf(input.ids))),
  handle(releaseExam, ({ ctx, db, input }) => releaseOrWithdraw(ctx, db, services.cipher, releaseHooks, outside, input)),
  handle(closeExam, ({ ctx, db, input }) => closeOrReopen(ctx, db, closeHooks, input)),
  handle(examPapers, async ({ ctx, db, input }) => {
    const exam = await examForReading(ctx, db, input.examId)
    const rows = (await withPosts(db, await childRows(db, examItem, exam.id))).map(presentPaper)
    return rows.filter(row => input.itemType === undefined || row['itemType'] === input.itemType)
  }),
  handle(posts, ({ ctx, input }) => postsFor(ctx, input)),
  handle(postTree, async ({ ctx, db, input }) => {
    const exam = await examForReading(ctx, db, input.examId)
    return held(ctx, await postsVersion(db, exam.id)) ?? treeOf(await listPosts(db, exam.id), await dictionaryLabels(db))
  }),
  handle(importTypeCode, ({ ctx, input }) => importPosts(ctx, importTypeCode.path, input)),
  handle(fitPosts, ({ ctx, input }) => fitFor(open, ctx, input)),
  handle(readFacts, async ({ ctx, db, input }) =>
    readOwnFacts(ctx, db, input.examId === undefined ? undefined : await open.of(ctx.tenantId, input.examId)),
  ),
  handle(saveFacts, ({ ctx, db, input }) => saveOwnFacts(ctx, db, input)),
  handle(dictCodes, async ({ ctx, db }) =>
    (await listDictionaries(db)).map(({ code, zh, en }) => ({ code, name: ctx.say({ zh, en: en ?? zh }) })),
  ),
  handle(changeItemStatus, ({ ctx, db, input }) => switchItem(ctx, db, input)),
]
