import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
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
  weighLines,
} from '#contract/result/result.routes.ts'

import { audit } from '#kernel/audit.ts'
import { type Handler, handle, handleExport, sessionOf } from '#kernel/http/context.ts'
import { correctOne } from './commands/correct.ts'
import { planResults } from './commands/export-results.ts'
import { releaseOrSchedule, withdrawRelease } from './commands/release.ts'
import { removeResultsById, removeResultsOf } from './commands/remove-results.ts'
import { resultScopeOf } from './commands/result-scope.ts'
import { viewScore } from './commands/view-score.ts'
import { weighNewLines } from './commands/weigh-lines.ts'
import { findResult, listCorrections, pageResults, type ResultRecord } from './data/result.repo.ts'
import type { ResultParts } from './deps.ts'
import type { ResultScope } from './domain/result-scope.ts'
import { atScale } from './domain/totals.ts'

/** Offsets beyond this are refused; the search narrows instead (decision 4.7). */
const maxOffset = 200_000

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

export const resultHandlers = (parts: ResultParts): Handler[] => [
  handle(importResults, ({ ctx, input }) => parts.runImport(ctx, importResults.path, input)),
  handle(deleteResults, ({ ctx, db, input }) =>
    removeResultsOf(db, ctx, { examId: input.examId, itemId: input.itemId, ids: input.ids?.split(',') }),
  ),
  handle(removeResults, ({ ctx, db, input }) => removeResultsById(db, ctx, idsOf(input.ids))),
  handle(releaseResults, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    if (!session.permissions.has(input.state === 1 ? 'result_release' : 'result_withdraw')) return refuse('kernel/forbidden', {})
    return input.state === 1 ? releaseOrSchedule(db, ctx, input, session.userId) : withdrawRelease(db, ctx, input, session.userId)
  }),
  handle(weighLines, ({ db, input }) => weighNewLines(db, input)),
  handleExport(exportResult, ({ ctx, input }) => planResults(ctx, input, resultScopeOf(sessionOf(ctx)))),
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
