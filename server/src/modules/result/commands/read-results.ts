import { paperScoreWire } from '#contract/exam/exam.state.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { resultList } from '#contract/result/result.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { listPapers } from '#modules/exam/index.ts'
import { listWaiting } from '../data/release-order.repo.ts'
import { countForRelease, findResult, listCorrections, listWritten, pageResults, type ResultRecord } from '../data/result.repo.ts'
import type { ResultScope } from '../domain/result-scope.ts'
import { atScale } from '../domain/totals.ts'
import { effectOf } from './correction-effect.ts'
import { resultScopeOf } from './result-scope.ts'

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

/** The papers of an examination for whoever works on their results. */
export const listResultPapers = async (db: TenantDb, examId: string, userId: string) => {
  const papers = await listPapers(db, examId)
  const imported = papers.filter(paper => paper.scoreState === 'imported').map(paper => paper.id)
  const written = await listWritten(db, imported, userId)
  const releases = new Map((await listWaiting(db, examId)).flatMap(({ itemIds, runAt }) => itemIds.map(id => [id, runAt] as const)))
  const figures = new Map(
    (
      await countForRelease(
        db,
        papers.map(paper => paper.id),
      )
    ).map(one => [one.itemId, one]),
  )
  return papers.map(({ id, itemName, itemCode, fullScore, weight, startTime, endTime, scoreState }) => {
    const releaseAt = releases.get(id)
    const { holders = 0, missing = 0 } = figures.get(id) ?? {}
    return {
      ...{ id, itemName, itemCode, fullScore, weight },
      startTime: toWireTime(startTime),
      endTime: toWireTime(endTime),
      scoreState: paperScoreWire[scoreState],
      ...{ holders, missing },
      isOwnWork: written.includes(id),
      releaseTime: releaseAt === undefined ? null : toWireTime(releaseAt),
    }
  })
}

/** A page of the results that somebody may see. */
export const listResults = async (db: TenantDb, ctx: Ctx, { current = 1, size = 10, ...filter }: InputOf<typeof resultList>) => {
  if ((current - 1) * size > maxOffset) return refuse('kernel/page-depth', {})
  const scope = resultScopeOf(sessionOf(ctx))
  const { rows, total } = await pageResults(db, filter, scope, size, (current - 1) * size)
  const shown = rows.map(row => present(row, scope))
  return toPage(shown, total, current, size) as never
}

/** One result with how its score came about; that somebody looked is in the trail. */
export const readResult = async (db: TenantDb, ctx: Ctx, id: string) => {
  const scope = resultScopeOf(sessionOf(ctx))
  const row = await findResult(db, id, scope)
  if (!row) return refuse('kernel/not-found', {})
  // How a score came about is the office's matter; units see the score.
  const corrections = scope.units === null ? await listCorrections(db, row.id) : []
  const waiting = corrections.find(one => one.state === 'waiting')
  const { userId } = sessionOf(ctx)
  await audit(db, ctx, { action: 'result.read', entity: 'result', entityId: row.id })
  return {
    ...present(row, scope),
    corrections: corrections.map(({ proposedAt, decidedAt, ...one }) => ({
      id: one.id,
      state: one.state,
      before: one.before,
      after: one.after,
      reason: one.reason,
      proposedBy: one.proposedBy,
      proposedTime: toWireTime(proposedAt),
      own: one.proposedById === userId ? 1 : 0,
      decidedBy: one.decidedBy,
      decidedTime: decidedAt === null ? null : toWireTime(decidedAt),
      decisionRemark: one.decisionRemark,
    })),
    ...(waiting && row.released ? { effect: await effectOf(db, row, waiting) } : {}),
  }
}
