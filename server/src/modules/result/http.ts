import { refuseResult } from '#contract/exam/result.errors.ts'
import {
  correctResult,
  deleteResults,
  examScore,
  exportResult,
  importResults,
  releaseResults,
  removeResults,
  resultList,
  resultOne,
} from '#contract/exam/result.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toPage } from '#contract/kernel/page.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, type Handler, handle, handleExport, Refused, type Session } from '#kernel/http/context.ts'
import { correctOne } from './commands/correct.ts'
import { planResults } from './commands/export-results.ts'
import { releaseOrSchedule, withdrawRelease } from './commands/release.ts'
import { resultScopeOf } from './commands/result-scope.ts'
import { viewScore } from './commands/view-score.ts'
import { countResults, findResult, listCorrections, lockPapers, pageResults, type ResultRecord, removeRows } from './data/result.repo.ts'
import type { ResultParts } from './deps.ts'
import type { ResultScope } from './domain/result-scope.ts'
import { atScale } from './domain/totals.ts'

/** Offsets beyond this are refused; the search narrows instead (decision 4.7). */
const maxOffset = 200_000

const sessionOf = (ctx: Ctx): Session => {
  if (!ctx.session) throw new Refused(refuse('kernel/no-token', {}))
  return ctx.session
}

const present = (
  { released, releaseTime, userId: _, scale, writtenTotal, interviewTotal, total, ...row }: ResultRecord,
  { units }: ResultScope,
) => ({
  ...row,
  correctionWaits: units === null ? row.correctionWaits : 0,
  released: released ? 1 : 0,
  releaseTime: releaseTime === null ? null : toWireTime(releaseTime),
  writtenTotal: writtenTotal === null ? null : atScale(writtenTotal, scale),
  interviewTotal: interviewTotal === null ? null : atScale(interviewTotal, scale),
  total: total === null ? null : atScale(total, scale),
})

/** Deletes imported results of one paper; a paper without any is "not imported" again. */
const removeOf = async (
  db: TenantDb,
  ctx: Ctx,
  examId: string,
  itemId: string,
  ids?: readonly string[],
): Promise<{ removed: number } | Refusal> => {
  const [paper] = await lockPapers(db, examId, [itemId])
  if (!paper) return refuse('kernel/not-found', {})
  if (paper.scoreState === 'released') return refuseResult('result/released-delete', {})
  const removed = await removeRows(db, itemId, ids)
  // One id that is no result of this paper: nothing is done (decision 3.4).
  if (ids !== undefined && removed !== new Set(ids).size) return refuse('kernel/not-found', {})
  if (paper.scoreState === 'imported' && (await countResults(db, itemId)) === 0)
    await transition(
      db,
      'exam_item',
      itemId,
      { from: 'imported', to: 'none', column: 'score_state' },
      { score_import_by: null, score_import_at: null },
    )
  await audit(db, ctx, { action: 'result.deleted', entity: 'examitem', entityId: itemId, before: { paper: paper.itemCode, removed } })
  return { removed }
}

export const resultHandlers = (parts: ResultParts): Handler[] => [
  handle(importResults, ({ ctx, input }) => parts.runImport(ctx, importResults.path, input)),
  handle(deleteResults, ({ ctx, db, input }) => removeOf(db, ctx, input.examId, input.itemId, input.ids?.split(','))),
  handle(removeResults, async ({ ctx, db, input }) => {
    const ids = [...new Set(input.ids.split(','))]
    const papers = await db.all(sql<{ examId: string; itemId: string; ids: string[]; count: number }>`
      select exam_id::text as "examId", item_id::text as "itemId", array_agg(id::text) as ids from result
      where id = any(${ids}::bigint[]) and not is_deleted group by exam_id, item_id order by item_id`)
    if (papers.reduce((sum, paper) => sum + paper.ids.length, 0) !== ids.length) return refuse('kernel/not-found', {})
    for (const paper of papers) {
      const done = await removeOf(db, ctx, paper.examId, paper.itemId, paper.ids)
      if (isRefusal(done)) return done
    }
    return { removed: ids.length }
  }),
  handle(releaseResults, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    if (!session.permissions.has(input.state === 1 ? 'result_release' : 'result_withdraw')) return refuse('kernel/forbidden', {})
    return input.state === 1 ? releaseOrSchedule(db, ctx, input, session.userId) : withdrawRelease(db, ctx, input)
  }),
  handleExport(exportResult, ({ ctx, input }) => planResults(parts.system, ctx, input, resultScopeOf(sessionOf(ctx)))),
  handle(resultList, async ({ ctx, db, input }) => {
    const { current = 1, size = 10, ...filter } = input
    if ((current - 1) * size > maxOffset) return refuse('kernel/page-depth', {})
    const scope = resultScopeOf(sessionOf(ctx))
    const { rows, total } = await pageResults(db, filter, scope, size, (current - 1) * size)
    const shown = rows.map(row => present(row, scope))
    return toPage(shown, total, current, size) as never
  }),
  handle(resultOne, async ({ ctx, db, input }) => {
    const scope = resultScopeOf(sessionOf(ctx))
    const row = await findResult(db, input.id, scope)
    if (!row) return refuse('kernel/not-found', {})
    // How a score came about is the office's matter; units see the score.
    const corrections = scope.units === null ? await listCorrections(db, row.id) : []
    await audit(db, ctx, { action: 'result.read', entity: 'result', entityId: row.id })
    return {
      ...present(row, scope),
      corrections: corrections.map(one => ({
        id: one.id,
        state: one.state,
        before: one.before,
        after: one.after,
        reason: one.reason,
        proposedBy: one.proposedBy,
        proposedTime: toWireTime(one.proposedAt),
        decidedBy: one.decidedBy,
        decidedTime: one.decidedAt === null ? null : toWireTime(one.decidedAt),
      })),
    }
  }),
  handle(correctResult, ({ ctx, db, input }) => correctOne(parts, db, ctx, input, sessionOf(ctx).userId)),
  handle(examScore, ({ ctx, db, input }) => viewScore(db, ctx, sessionOf(ctx), input)),
]
