import { examItem } from '#contract/exam/exam.resources.ts'
import {
  changeItemStatus,
  closeExam,
  dictCodes,
  examById,
  examOwners,
  examPapers,
  pageExams,
  posts,
  postTree,
  releaseExam,
  removeExams,
  submitExam,
} from '#contract/exam/exam.routes.ts'
import { importTypeCode } from '#contract/exam/import.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { audit } from '#kernel/audit.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { held } from '#kernel/http/revalidate.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'
import { examForReading } from './commands/exam-guard.ts'
import { ownersFor } from './commands/exam-owners.ts'
import type { Nouns } from './commands/nouns.ts'
import { childRows, examDetailOf, pageOfExams } from './commands/read-exam.ts'
import { postsFor, treeOf } from './commands/read-posts.ts'
import { type CloseHook, closeOrReopen, releaseOrWithdraw, removeDrafts } from './commands/release-exam.ts'
import { saveExam } from './commands/save-exam.ts'
import { listPosts, postsVersion } from './data/post.repo.ts'
import type { RunImport } from './imports/importer.ts'

export interface ExamHttp {
  readonly services: Services
  readonly system: SystemModule
  readonly nouns: Nouns
  readonly importPosts: RunImport
  readonly closeHooks: readonly CloseHook[]
  readonly releaseHooks: readonly CloseHook[]
}

export const examHandlers = ({ services, system, nouns, importPosts, closeHooks, releaseHooks }: ExamHttp): readonly Handler[] => [
  handle(pageExams, ({ ctx, db, input }) => pageOfExams(ctx, db, input)),
  handle(examById, ({ ctx, db, input }) => examDetailOf(ctx, db, input.id, nouns.presentPaper)),
  handle(examOwners, ({ ctx, db }) => ownersFor(ctx, db)),
  handle(submitExam, ({ ctx, db, input }) => saveExam(ctx, db, nouns, services.cipher, input as Record<string, unknown>)),
  handle(removeExams, ({ ctx, db, input }) => removeDrafts(ctx, db, (input.ids ?? '').split(',').filter(Boolean))),
  handle(releaseExam, ({ ctx, db, input }) => releaseOrWithdraw(ctx, db, services.cipher, releaseHooks, input)),
  handle(closeExam, ({ ctx, db, input }) => closeOrReopen(ctx, db, closeHooks, input)),
  handle(examPapers, async ({ ctx, db, input }) => {
    const exam = await examForReading(ctx, db, input.examId)
    const rows = (await childRows(db, examItem, exam.id)).map(nouns.presentPaper)
    return rows.filter(row => input.itemType === undefined || row['itemType'] === input.itemType)
  }),
  handle(posts, ({ ctx, input }) => postsFor(ctx, system, input)),
  handle(postTree, async ({ ctx, db, input }) => {
    const exam = await examForReading(ctx, db, input.examId)
    return held(ctx, await postsVersion(db, exam.id)) ?? treeOf(await listPosts(db, exam.id))
  }),
  handle(importTypeCode, ({ ctx, input }) => importPosts(ctx, importTypeCode.path, input)),
  handle(dictCodes, async ({ ctx, db }) =>
    (
      await db.all(sql<{ code: string; zh: string; en: string | null }>`
        select code, dict_value as zh, dict_value_en as en from dict_biz where dict_key = '-1' and not is_deleted order by sort, code`)
    ).map(({ code, zh, en }) => ({ code, name: ctx.say({ zh, en: en ?? zh }) })),
  ),
  handle(changeItemStatus, async ({ ctx, db, input }) => {
    const before = await db.maybe(sql<{ status: number }>`select status from item where id = ${input.id} and not is_deleted for update`)
    if (!before) return refuse('kernel/not-found', {})
    await db.run(sql`
      update item set status = ${input.status}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${input.id}`)
    await audit(db, ctx, { action: 'item.status-changed', entity: 'item', entityId: input.id, before, after: { status: input.status } })
    return { id: input.id, status: input.status }
  }),
]
