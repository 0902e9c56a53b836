import type { NextKey, StepKey } from '#contract/statistics/overview.routes.ts'

export interface NextFacts {
  readonly isDraft: boolean
  readonly isReleased: boolean
  /** What keeps a draft from being released. */
  readonly problems: number
  readonly counts: Readonly<Record<StepKey | 'proposals' | 'approvals' | 'reductions', number>>
  /** Sign-up is over: nobody can come into the draw any more but who is let in late. */
  readonly isSignupOver: boolean
  /** All papers have been sat: whoever is still not reviewed has missed them, and keeps nobody waiting. */
  readonly isSat: boolean
  /** All papers have been sat and all results are out. */
  readonly isOver: boolean
  readonly may: (code: string) => boolean
}

/**
 * The one thing that an examination needs next from this person: a draft is mended and released; then whatever waits, in the order in which the steps
 * depend on each other, and what nobody has begun although its time has come.
 */
export const nextAction = ({
  isDraft,
  isReleased,
  problems,
  counts,
  isSignupOver,
  isSat,
  isOver,
  may,
}: NextFacts): { key: NextKey; count: number } => {
  if (isDraft) {
    if (problems > 0 && may('examination_edit')) return { key: 'mend', count: problems }
    return { key: problems === 0 && may('examination_release') ? 'release' : 'none', count: 0 }
  }
  const toReview = counts.waiting + counts.second
  type Step = readonly [key: NextKey, code: string, count: number]
  const reviews: readonly Step[] = [
    ['reviewFirst', 'examine_first', counts.waiting],
    ['reviewSecond', 'examine_second', counts.second],
  ]
  const steps: readonly Step[] = [
    ...(isSat ? [] : reviews),
    ['proposals', 'recheck_uphold', counts.proposals],
    ['approvals', 'signup_approve', counts.approvals],
    ['corrections', 'result_edit', counts.corrections],
    ['refunds', 'exampay_approve', counts.refunds],
    ['postings', 'exampay_handleup', counts.postings],
    // Posts are reduced before seats are drawn for whoever is left.
    ['reductions', 'reduction_edit', counts.reductions],
    ['rereview', 'recheck_decide', counts.rereview],
    // While people are still being reviewed, seats would have to be drawn twice.
    ['seat', 'ticket_generate', isReleased && isSignupOver && toReview === 0 ? counts.toSeat : 0],
    ['releaseTickets', 'ticket_release', isReleased ? counts.toReleaseTickets : 0],
    ['score', 'result_import', counts.toScore],
    ['releaseResults', 'result_release', counts.toReleaseResults],
    ['close', 'examination_close', isReleased && isOver ? 1 : 0],
    ...(isSat ? reviews : []),
  ]
  const [key, , count] = steps.find(([, code, waits]) => waits > 0 && may(code)) ?? ['none', '', 0]
  return { key, count }
}
