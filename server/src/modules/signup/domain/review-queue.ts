import type { Label } from '#contract/kernel/label.ts'

/** How fast the first review of an examination goes at this time. */
export interface ReviewPace {
  /** Who decided within the last hour. */
  readonly reviewers: number
  /** How long they had a sign-up open before they decided, ms; null where nobody did. */
  readonly medianMs: number | null
  /** Decisions of the last seven days. */
  readonly decided: number
  /** The first of them, instant in ms. */
  readonly since: number | null
}
/** Who waits for the first review of an examination. */
export interface ReviewQueue {
  readonly waiting: number
  /** When every `step`-th of them was submitted, instants in ms, the oldest first. */
  readonly marks: readonly number[]
  readonly step: number
  readonly pace: ReviewPace
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How many were submitted before this instant and still wait; exact where every one of them is marked. */
export const aheadOf = ({ marks, step, waiting }: Pick<ReviewQueue, 'marks' | 'step' | 'waiting'>, submittedAt: number): number => {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((marks[middle] ?? 0) < submittedAt) low = middle + 1
    else high = middle
  }
  return Math.min(low * step, waiting)
}

export type Expected = { readonly unit: 'minute' | 'hour' | 'day'; readonly count: number }

/** Longer than a working day nobody reviews in one piece: then the days that decisions really took count. */
const longestSitting = 8 * hourMs
/** Beyond it a forecast says nothing. */
const longestDays = 60
/** Nobody reads a sign-up faster: some decided at a glance say nothing about those that come. */
const leastReadMs = 20_000

/**
 * How long it takes until that many have been decided, from the real pace (domain 11, queue time: 340 waiting, 5 reviewers, median 45 s → about 51 min).
 * Undefined where nobody has decided anything yet.
 */
export const expectedWait = (ahead: number, pace: ReviewPace, nowMs: number): Expected | undefined => {
  const { reviewers, medianMs, decided, since } = pace
  const sittingMs = reviewers > 0 && medianMs !== null ? (ahead * Math.max(medianMs, leastReadMs)) / reviewers : Number.POSITIVE_INFINITY
  if (sittingMs <= 45 * minuteMs) return { unit: 'minute', count: Math.max(5, Math.ceil(sittingMs / minuteMs / 5) * 5) }
  if (sittingMs <= longestSitting) return { unit: 'hour', count: Math.max(1, Math.round(sittingMs / hourMs)) }
  if (since === null || decided === 0) return undefined
  const days = Math.ceil(((ahead + 1) / decided) * Math.max(1, (nowMs - since) / dayMs))
  return days > longestDays ? undefined : { unit: 'day', count: days }
}

const units: Readonly<Record<Expected['unit'], { readonly zh: string; readonly one: string; readonly many: string }>> = {
  minute: { zh: '分钟', one: 'minute', many: 'minutes' },
  hour: { zh: '小时', one: 'hour', many: 'hours' },
  day: { zh: '天', one: 'day', many: 'days' },
}

/** What somebody who waits is told: how many come before, and when it will be their turn (domain 4.2). */
export const waitHint = (queue: ReviewQueue, submittedAt: number, nowMs: number): Label => {
  const ahead = aheadOf(queue, submittedAt)
  const about = queue.step > 1
  const wait = expectedWait(ahead, queue.pace, nowMs)
  const place: Label =
    ahead === 0
      ? { zh: '您排在最前面', en: 'You are the first in the queue' }
      : {
          zh: `前面${about ? '约' : '还有'} ${ahead} 人`,
          en: `${about ? 'about ' : ''}${ahead} ${ahead === 1 ? 'person' : 'people'} ahead of you`,
        }
  if (wait === undefined) return place
  const { zh, one, many } = units[wait.unit]
  const en = `${wait.count} ${wait.count === 1 ? one : many}`
  // The pace of this hour ends with the reviewers' day: without that said, minutes now and days at night contradict each other.
  return wait.unit === 'day'
    ? { zh: `${place.zh}，预计约 ${wait.count} ${zh}`, en: `${place.en}, expected in about ${en}` }
    : { zh: `${place.zh}，照现在的审核速度约 ${wait.count} ${zh}`, en: `${place.en}, about ${en} at the present pace` }
}
