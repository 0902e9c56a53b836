import type { MySignup } from '../wire.ts'

export type ProgressKey = 'fill' | 'review' | 'pay' | 'ticket' | 'score'
export type ProgressState = 'done' | 'now' | 'bad' | 'next'

/** How far a sign-up has come; the step to pay is left out when nothing is owed. */
export const progressOf = (
  row: Pick<MySignup, 'examine' | 'payState' | 'ticketReleased' | 'scoreReleased'>,
): readonly { readonly key: ProgressKey; readonly state: ProgressState }[] => {
  const { examine, payState } = row
  const gone = examine === 6 || examine === 7
  const passed = examine === 5
  const fill: ProgressState = examine === 0 ? 'now' : examine === 3 || examine === 6 ? 'bad' : 'done'
  const review: ProgressState = passed ? 'done' : examine === 1 || examine === 2 ? 'now' : examine === 4 || examine === 7 ? 'bad' : 'next'
  const owes = payState !== 0
  const settled = passed && (!owes || payState === 2)
  const pay: ProgressState = payState === 2 ? 'done' : payState === 5 || payState === 4 ? 'bad' : passed ? 'now' : 'next'
  const ticket: ProgressState = row.scoreReleased || (settled && row.ticketReleased && !gone) ? 'done' : settled ? 'now' : 'next'
  const score: ProgressState = row.scoreReleased ? 'done' : settled && row.ticketReleased ? 'now' : 'next'
  return [
    { key: 'fill', state: fill },
    { key: 'review', state: review },
    ...(owes ? [{ key: 'pay' as const, state: pay }] : []),
    { key: 'ticket', state: ticket },
    { key: 'score', state: score },
  ]
}
