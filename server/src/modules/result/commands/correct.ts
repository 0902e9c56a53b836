import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import type { correctResult } from '#contract/result/result.routes.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { insistOnGate, passAlone, refuseSamePerson } from '#kernel/two-persons.ts'
import { listOfficers } from '#modules/exam/index.ts'
import { findExamOfResults } from '../data/exam.repo.ts'
import {
  addCorrection,
  type CorrectionRecord,
  findResult,
  listCorrections,
  lockPapers,
  lockResult,
  type ResultRecord,
  type ResultValue,
  writeValue,
} from '../data/result.repo.ts'
import { readPlaces } from '../data/standing.repo.ts'
import type { ResultParts } from '../deps.ts'
import { correctedValue } from '../domain/correction.ts'
import { correctedNotice, correctionDecidedNotice, movedInReviewNotice, movedNotice } from '../templates/notices.ts'
import { publishRoot } from './prove-scores.ts'
import { recompute, refuseBeforeEnd } from './release.ts'
import { correctionScopeOf } from './result-scope.ts'

type Input = InputOf<typeof correctResult>
interface Answer {
  readonly id: string
  readonly correctionId: string
  readonly state: string
}

const currentValue = ({ score, resultState, bonus, remark }: ResultRecord): ResultValue => ({ score, resultState, bonus, remark })

/** Writes a corrected value; of a released result the post is ranked anew and everybody it moved is told. */
const applyCorrection = async (
  parts: ResultParts,
  db: TenantDb,
  ctx: Ctx,
  row: ResultRecord,
  correction: { id: string; after: ResultValue; reason: string; by: string },
): Promise<Refusal | undefined> => {
  insistOnGate(db, 'scoreCorrection')
  const checked = correctedValue(currentValue(row), correction.after, row.fullScore)
  if (isRefusal(checked)) return checked
  const places = row.released ? await readPlaces(db, row.examId, row.code) : []
  await writeValue(db, row.id, checked.value, checked.finalScore, correction.by)
  await audit(db, ctx, {
    action: 'result.corrected',
    entity: 'result',
    entityId: row.id,
    before: currentValue(row),
    after: { ...checked.value, correctionId: correction.id },
    reason: correction.reason,
  })
  if (!row.released) return undefined
  await recompute(db, row.examId)
  await publishRoot(db, ctx, row.examId, 'correction')
  const exam = await findExamOfResults(db, row.examId)
  const before = new Map(places.map(place => [place.signupId, place]))
  const tell = (userId: string, text: ReturnType<typeof movedNotice>) =>
    parts.message.notify(db, { userId, examId: row.examId, kind: 4, ...text, eventKey: `result-corrected|${correction.id}` })
  await tell(row.userId, correctedNotice(exam?.examName ?? '', row.itemName))
  await parts.message.sendSmsTo(db, row, 'result-corrected', { exam: exam?.examName ?? '' })
  let movedInReview = 0
  for (const place of await readPlaces(db, row.examId, row.code)) {
    const old = before.get(place.signupId)
    if (!old || (old.rank === place.rank && old.shortlist === place.shortlist)) continue
    if (place.isCalled) movedInReview += 1
    if (place.signupId !== row.signupId) await tell(place.userId, movedNotice(exam?.examName ?? ''))
  }
  // Who was called was called by the places of then: what follows from the new ones is for people to decide.
  if (movedInReview > 0)
    for (const userId of await listOfficers(db, row.examId))
      await parts.message.notify(db, {
        ...{ userId, examId: row.examId, kind: 7, eventKey: `result-corrected|${correction.id}|office` },
        ...movedInReviewNotice(exam?.examName ?? '', row.examId, row.code, movedInReview),
      })
  return undefined
}

const decide = async (
  parts: ResultParts,
  db: TenantDb,
  ctx: Ctx,
  row: ResultRecord,
  correction: CorrectionRecord,
  { confirm, reason, by }: { readonly confirm: boolean; readonly reason: string | undefined; readonly by: string },
): Promise<Answer | Refusal> => {
  const isOwn = correction.proposedById === by
  if (isOwn && confirm) return refuseResult('result/same-corrector', {})
  if (confirm) await refuseSamePerson(db, 'scoreCorrection', by, [correction.proposedById])
  // Whoever takes their own back owes nobody a reason.
  if (!confirm && !isOwn && !reason) return refuseResult('result/reason', {})
  const to = confirm ? 'applied' : 'rejected'
  const decisionRemark = confirm ? null : (reason ?? null)
  if (!(await transition(db, 'result_correction', correction.id, { from: 'waiting', to }, { decision_remark: decisionRemark })))
    return refuseResult('result/correction-done', {})
  if (confirm) {
    const refused = await applyCorrection(parts, db, ctx, row, {
      id: correction.id,
      after: correction.after,
      reason: correction.reason,
      by,
    })
    if (refused) return refused
  } else {
    await audit(db, ctx, {
      action: 'result.correction-rejected',
      entity: 'result',
      entityId: row.id,
      after: { correctionId: correction.id, ...correction.after, isOwn },
      reason: decisionRemark ?? correction.reason,
    })
  }
  if (!isOwn) {
    const exam = await findExamOfResults(db, row.examId)
    await parts.message.notify(db, {
      ...{ userId: correction.proposedById, examId: row.examId, kind: 7, eventKey: `result-correction|${correction.id}|decided` },
      ...correctionDecidedNotice(exam?.examName ?? '', row, decisionRemark),
    })
  }
  return { id: row.id, correctionId: correction.id, state: to }
}

/**
 * One correction (domain 3.12, 5.11): before release applied at once, after it proposed by one person and confirmed by another.
 * Whoever proposed one may take it back; whoever rejects one says why, and its proposer is told.
 * Refusals: 400 without reason or with a wrong value, 2002 when the row changed, 2201 when a correction waits or was decided, 2402.
 */
export const correctOne = async (parts: ResultParts, db: TenantDb, ctx: Ctx, input: Input, by: string): Promise<Answer | Refusal> => {
  if (!ctx.session) return refuse('kernel/no-token', {})
  const scope = correctionScopeOf(ctx.session)
  const found = await findResult(db, input.id, scope)
  if (!found) return refuse('kernel/not-found', {})
  await lock(db, `result|${found.examId}`)
  await lockResult(db, input.id)
  const row = await findResult(db, input.id, scope)
  if (!row) return refuse('kernel/not-found', {})
  const early = refuseBeforeEnd(await lockPapers(db, row.examId, [row.itemId]), db.now)
  if (early) return early
  const corrections = await listCorrections(db, row.id)
  if (input.correctionId !== undefined) {
    const correction = corrections.find(one => one.id === input.correctionId)
    return correction
      ? decide(parts, db, ctx, row, correction, { confirm: input.confirm !== 0, reason: input.reason?.trim(), by })
      : refuse('kernel/not-found', {})
  }
  if (!input.reason) return refuseResult('result/reason', {})
  if (input.version !== undefined && input.version !== row.version) return refuse('kernel/changed-meanwhile', {})
  const checked = correctedValue(currentValue(row), input, row.fullScore)
  if (isRefusal(checked)) return checked
  const of = { examId: row.examId, resultId: row.id, before: currentValue(row), after: checked.value, reason: input.reason }
  if (!row.released) {
    passAlone(db, 'scoreCorrection', 'notReleased')
    const correctionId = await addCorrection(db, of, 'applied')
    const refused = await applyCorrection(parts, db, ctx, row, { id: correctionId, after: checked.value, reason: input.reason, by })
    return refused ?? { id: row.id, correctionId, state: 'applied' }
  }
  if (corrections.some(one => one.state === 'waiting')) return refuseResult('result/correction-waiting', {})
  const correctionId = await addCorrection(db, of, 'waiting')
  await audit(db, ctx, {
    action: 'result.correction-proposed',
    entity: 'result',
    entityId: row.id,
    before: of.before,
    after: { ...of.after, correctionId },
    reason: input.reason,
  })
  return { id: row.id, correctionId, state: 'waiting' }
}
