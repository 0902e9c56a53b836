import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import type { ScoreView } from '#contract/result/result.shapes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { lostPlace } from '#modules/ticket/index.ts'
import {
  findSignupForScore,
  listTotals,
  papersInCheck,
  type ReleasedScore,
  releasedScores,
  type ScoredSignup,
  type ScoreTotal,
} from '../data/score.repo.ts'
import { atScale } from '../domain/totals.ts'
import { nextStep } from '../templates/notices.ts'
import { resultScopeOf } from './result-scope.ts'

/** What the score page of one sign-up is made of. */
export interface ScoreFacts {
  readonly items: readonly ReleasedScore[]
  readonly inCheck: readonly string[]
  readonly total: ScoreTotal | undefined
  /** Why the person does not take part any more. */
  readonly lost: Refusal | undefined
}

/** Of many sign-ups with as many statements as of one; by account. */
export const readScoreFacts = async (db: TenantDb, signups: readonly ScoredSignup[]): Promise<Map<string, ScoreFacts>> => {
  const ids = signups.map(signup => signup.id)
  const [scores, checks, totals] = await Promise.all([releasedScores(db, ids), papersInCheck(db, ids), listTotals(db, ids)])
  const itemsOf = Map.groupBy(scores, row => row.signupId)
  const checksOf = Map.groupBy(checks, row => row.signupId)
  const totalOf = new Map(totals.map(row => [row.signupId, row]))
  return new Map(
    signups.map(signup => [
      signup.userId,
      {
        items: itemsOf.get(signup.id) ?? [],
        inCheck: (checksOf.get(signup.id) ?? []).map(row => row.itemName),
        total: totalOf.get(signup.id),
        lost: lostPlace({ ...signup, refundWaits: 'none' }),
      },
    ]),
  )
}

/** The page in one language. 2403 before release. */
export const scoreView = ({ items, inCheck, total, lost }: ScoreFacts, say: Ctx['say']): ScoreView | Refusal => {
  if (items.length === 0) return refuseResult(inCheck.length > 0 ? 'result/in-check' : 'result/not-released', {})
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
    items: items.map(({ signupId: _, corrections, ...item }) => ({
      ...item,
      ...(corrections === null
        ? {}
        : {
            corrections: corrections.map(({ before, after, reason, at }) => ({
              ...{ before: before.score, beforeState: before.resultState, after: after.score, afterState: after.resultState },
              ...{ reason, time: toWireTime(new Date(at)) },
            })),
          }),
    })),
    ...Object.fromEntries(shown.filter(([, value]) => value !== undefined)),
    inCheck: [...inCheck],
    out: lost ? say(lost.text) : null,
    shortlist: lost ? 0 : (total?.shortlist ?? 0),
    nextStep: say(
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

/** What a candidate sees of their own score, shown to staff for a sign-up that they name. */
export const viewScoreOf = async (
  db: TenantDb,
  ctx: Ctx,
  session: Session,
  { examId, signupId }: { examId: string; signupId?: string },
): Promise<ScoreView | Refusal> => {
  const signup = signupId === undefined ? undefined : await findSignupForScore(db, { examId, signupId, scope: resultScopeOf(session) })
  const facts = signup && (await readScoreFacts(db, [signup])).get(signup.userId)
  return facts ? scoreView(facts, ctx.say) : refuse('kernel/not-found', {})
}
