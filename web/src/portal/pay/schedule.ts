import type { PayRow } from '../wire.ts'

export type PayNotice = { readonly key: string; readonly due: PayRow } | { readonly key: 'more'; readonly more: number }

/** S9.16: between two notices. */
const noticeGapMs = 300
/** Beyond this many one summary stands for the rest (domain 6.3). */
const noticeLimit = 5

/** One notice per due, the nearest deadline first; at most five, then one summary. */
export const noticesOf = (dues: readonly PayRow[]): readonly PayNotice[] => {
  const waiting = dues.filter(due => due.state === 1).toSorted((a, b) => a.deadline.localeCompare(b.deadline))
  const shown: PayNotice[] = waiting.slice(0, noticeLimit).map(due => ({ key: due.id, due }))
  if (waiting.length > noticeLimit) shown.push({ key: 'more', more: waiting.length - noticeLimit })
  return shown
}

/**
 * Shows the notices one after another, 300 ms apart (S4.15, S9.16); none of them ends by itself.
 * @returns stops those that have not been shown yet
 */
export const stagger = (notices: readonly PayNotice[], show: (notice: PayNotice) => void): (() => void) => {
  const timers = notices.map((notice, index) => setTimeout(() => show(notice), index * noticeGapMs))
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}
