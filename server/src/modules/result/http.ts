import { idsOf } from '#contract/kernel/ids.ts'
import * as rechecks from '#contract/result/recheck.routes.ts'
import {
  correctResult,
  deleteResults,
  examScore,
  exportResult,
  findResultItems,
  getScoreProof,
  importResults,
  releaseResults,
  removeResults,
  resultList,
  resultOne,
  scoreRoots,
  weighLines,
} from '#contract/result/result.routes.ts'

import { type Handler, handle, handleExport, sessionOf } from '#kernel/http/context.ts'
import { correctOne } from './commands/correct.ts'
import { planResults } from './commands/export-results.ts'
import { proveOwn, readRoots } from './commands/prove-scores.ts'
import { listResultPapers, listResults, readResult } from './commands/read-results.ts'
import { answer, ask, listRechecks, readOwn, readWindow, setWindow } from './commands/recheck.ts'
import { releaseOrWithdraw } from './commands/release.ts'
import { removeResultsById, removeResultsOf } from './commands/remove-results.ts'
import { resultScopeOf } from './commands/result-scope.ts'
import { weighNewLines } from './commands/weigh-lines.ts'
import type { ResultParts } from './deps.ts'

export const resultHandlers = (parts: ResultParts): Handler[] => [
  handle(importResults, ({ ctx, input }) => parts.runImport(ctx, importResults.path, input)),
  handle(deleteResults, ({ ctx, db, input }) =>
    removeResultsOf(db, ctx, { examId: input.examId, itemId: input.itemId, ids: input.ids?.split(',') }),
  ),
  handle(removeResults, ({ ctx, db, input }) => removeResultsById(db, ctx, idsOf(input.ids))),
  handle(releaseResults, ({ ctx, db, input }) => releaseOrWithdraw(db, ctx, input)),
  handle(weighLines, ({ db, input }) => weighNewLines(db, input)),
  handleExport(exportResult, ({ ctx, input }) => planResults(ctx, input, resultScopeOf(sessionOf(ctx)))),
  handle(findResultItems, ({ ctx, db, input }) => listResultPapers(db, input.examId, sessionOf(ctx).userId)),
  handle(resultList, ({ ctx, db, input }) => listResults(db, ctx, input)),
  handle(resultOne, ({ ctx, db, input }) => readResult(db, ctx, input.id)),
  handle(correctResult, ({ ctx, db, input }) => correctOne(parts, db, ctx, input, sessionOf(ctx).userId)),
  handle(examScore, ({ ctx, input }) => parts.scores.view(ctx, sessionOf(ctx), input)),
  handle(getScoreProof, ({ ctx, db, input }) => proveOwn(db, input.examId, sessionOf(ctx).userId)),
  handle(scoreRoots, ({ ctx, input }) => ctx.asSystem('roots are published for everybody', db => readRoots(db, input.examId))),
  handle(rechecks.myRechecks, ({ ctx, db, input }) => readOwn(db, ctx, input.examId, sessionOf(ctx).userId)),
  handle(rechecks.askRecheck, ({ ctx, db, input }) => ask(db, ctx, input, sessionOf(ctx).userId)),
  handle(rechecks.recheckWindow, ({ db, input }) => readWindow(db, input.examId)),
  handle(rechecks.saveRecheckWindow, ({ ctx, db, input }) => setWindow(db, ctx, input)),
  handle(rechecks.recheckList, ({ db, input }) => listRechecks(db, input)),
  handle(rechecks.answerRecheck, ({ ctx, db, input }) => answer(parts, db, ctx, input)),
]
