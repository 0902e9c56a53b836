import { dueMachine } from '#contract/pay/order.state.ts'
import { callMachine, recheckMachine } from '#contract/selection/selection.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { ExamOverview, NextKey, StepKey } from '#contract/statistics/overview.routes.ts'
import type { Section } from '#web/console/page-entry.ts'
import { stepOfPath, steps } from '#web/resource/exam-steps.ts'

/** A section and what its list is narrowed to. */
export interface Place {
  readonly section: Section
  readonly search: Readonly<Record<string, string>>
  /** A page of the section that is not its first. */
  readonly page?: string
}
const place = (section: Section, search: Place['search'] = {}): Place => ({ section, search })
const review = (state: keyof typeof signupMachine.wire) => place('review', { examine: String(signupMachine.wire[state]) })
const signups = (state: keyof typeof signupMachine.wire) => place('signups', { examine: String(signupMachine.wire[state]) })

export const placeOfStep: Readonly<Record<StepKey, Place>> = {
  waiting: review('waiting'),
  second: review('second'),
  returned: review('returned'),
  refused: signups('refused'),
  passed: signups('passed'),
  disqualified: signups('disqualified'),
  withdrawn: signups('withdrawn'),
  due: place('fees', { state: String(dueMachine.wire.due) }),
  refunds: place('fees', { waitsFor: '1' }),
  postings: place('fees', { waitsFor: '2' }),
  toSeat: place('tickets'),
  toReleaseTickets: place('tickets'),
  ticketsOut: place('tickets'),
  toScore: place('results'),
  toReleaseResults: place('results'),
  corrections: place('results', { correctionWaits: '1' }),
  resultsOut: place('results'),
  rereview: place('selection', { reviewState: String(recheckMachine.wire.waiting) }),
}

/** The step of the set-up in which a problem is mended. */
export const placeOfProblem = (path: string): Place => place('setup', { step: String((stepOfPath(path) ?? 0) + 1) })

export const placeOfNext = ({ next, problems }: Pick<ExamOverview, 'next' | 'problems'>): Place | null => {
  const of: Readonly<Record<NextKey, Place | null>> = {
    mend: placeOfProblem(problems[0]?.path ?? ''),
    release: place('setup', { step: String(steps.length) }),
    reviewFirst: placeOfStep.waiting,
    reviewSecond: placeOfStep.second,
    refunds: placeOfStep.refunds,
    postings: placeOfStep.postings,
    proposals: placeOfWarning.proposals,
    approvals: null,
    reductions: placeOfWarning.reductions,
    rereview: placeOfStep.rereview,
    corrections: placeOfStep.corrections,
    seat: place('tickets'),
    releaseTickets: place('tickets'),
    score: place('results'),
    releaseResults: place('results'),
    close: null,
    none: null,
  }
  return of[next.key]
}

export const placeOfWarning = {
  proposals: place('signups', { proposed: '1' }),
  // Approvals of exports stand outside of the examination.
  approvals: null,
  reductions: place('reduction'),
  calls: place('selection', { callState: String(callMachine.wire.waiting) }),
  lateReviews: placeOfStep.waiting,
  overdue: place('fees', { state: String(dueMachine.wire.overdue) }),
  payAlarms: place('fees', { waitsFor: '1' }),
} as const satisfies Record<ExamOverview['warnings'][number]['key'], Place | null>

type Stretch = ExamOverview['timeline'][number]
export type When = 'past' | 'now' | 'coming'
/** Times on the wire compare as texts. */
export const whenOf = ({ begin, end }: Stretch, now: string): When =>
  end !== null && end <= now ? 'past' : begin !== null && begin > now ? 'coming' : end === null ? 'past' : 'now'

/** The next date that the examination comes to. */
export const comingOf = (timeline: readonly Stretch[], now: string): { stretch: Stretch; time: string; isEnd: boolean } | null =>
  timeline
    .flatMap(stretch => [
      ...(stretch.begin !== null && stretch.begin > now ? [{ stretch, time: stretch.begin, isEnd: false }] : []),
      ...(stretch.end !== null && stretch.end > now ? [{ stretch, time: stretch.end, isEnd: true }] : []),
    ])
    .sort((a, b) => a.time.localeCompare(b.time))[0] ?? null
