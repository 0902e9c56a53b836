import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import type { ScoreView } from '#contract/result/result.shapes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { lostPlace, standingOf } from '#modules/ticket/index.ts'
import { findSignupForScore, findTotal, papersInCheck, releasedScores } from '../data/score.repo.ts'
import { atScale } from '../domain/totals.ts'
import { nextStep } from '../templates/notices.ts'
import { resultScopeOf } from './result-scope.ts'

/** What a candidate sees of their own score; staff see the same of a sign-up they name. 2403 before release. */
export const viewScore = async (
  db: TenantDb,
  ctx: Ctx,
  session: Session,
  input: { examId: string; signupId?: string },
): Promise<ScoreView | Refusal> => {
  const { examId } = input
  const isCandidate = session.userType === 2
  if (!isCandidate && input.signupId === undefined) return refuse('kernel/not-found', {})
  const signup = await findSignupForScore(
    db,
    isCandidate ? { examId, userId: session.userId } : { examId, signupId: input.signupId ?? '0', scope: resultScopeOf(session) },
  )
  if (!signup) return refuse('kernel/not-found', {})
  const items = await releasedScores(db, signup.id)
  const inCheck = await papersInCheck(db, signup.id)
  if (items.length === 0) return refuseResult(inCheck.length > 0 ? 'result/in-check' : 'result/not-released', {})
  const standing = await standingOf(db, signup.id)
  const lost = standing && lostPlace(standing)
  const total = await findTotal(db, signup.id)
  const states = new Set(items.map(item => item.resultState))
  const text = (value: string | null | undefined) => (value && total ? atScale(value, total.scale) : undefined)
  const shown: [string, string | number | undefined][] = [
    ['written', text(total?.written)],
    ['interview', text(total?.interview)],
    ['bonus', total && Number(total.bonus) > 0 ? total.bonus : undefined],
    ['total', text(total?.total)],
    ['rank', total?.showRank && !lost ? (total.rank ?? undefined) : undefined],
    ['postCount', total?.showRank && !lost ? total.postCount : undefined],
    ['line', total?.showLine ? text(total.line) : undefined],
    ['passLine', total?.showLine ? text(total.passLine) : undefined],
  ]
  return {
    items: [...items],
    ...Object.fromEntries(shown.filter(([, value]) => value !== undefined)),
    inCheck,
    out: lost ? ctx.say(lost.text) : null,
    shortlist: lost ? 0 : (total?.shortlist ?? 0),
    nextStep: ctx.say(
      nextStep({
        out: lost?.text,
        isInCheck: inCheck.length > 0,
        missed: states.has(3) ? 'disciplined' : states.has(2) ? 'absent' : undefined,
        shortlist: total?.shortlist ?? 0,
        interviewFollows: total?.written != null && total.interview === null && total.total === null,
        hasPlace: (total?.written ?? total?.interview ?? null) !== null,
      }),
    ),
  }
}
