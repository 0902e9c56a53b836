import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import type { LineStat } from '#contract/statistics/statistics.routes.ts'

export type Grain = 'hour' | 'day'
export interface Bucket {
  /** Start of the bucket, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  readonly at: string
  readonly submitted: number
  readonly passed: number
  readonly paid: number
}

const stepMs: Readonly<Record<Grain, number>> = { hour: 3_600_000, day: 86_400_000 }
/** More points than this are no chart any more. */
export const maxPoints = 2_000

/** Start of the bucket that a moment lies in. */
export const bucketStart = (grain: Grain, instant: Date): Date => {
  const text = toWireTime(instant)
  return fromWireTime(grain === 'day' ? `${text.slice(0, 10)} 00:00:00` : `${text.slice(0, 13)}:00:00`) ?? instant
}

export const pointsBetween = (grain: Grain, begin: Date, end: Date): number =>
  Math.max(0, Math.ceil((end.getTime() - bucketStart(grain, begin).getTime()) / stepMs[grain]))

/** From where a chart is drawn: from the first event, or from the begin of the sign-up, or as far back as it has room for. */
export const shownFrom = (grain: Grain, earliest: Date, signBegin: Date | null, end: Date): Date => {
  if (pointsBetween(grain, earliest, end) <= maxPoints) return earliest
  if (signBegin && signBegin > earliest && signBegin < end && pointsBetween(grain, signBegin, end) <= maxPoints) return signBegin
  return new Date(bucketStart(grain, end).getTime() - (maxPoints - 1) * stepMs[grain])
}

/** One point per hour or day of [begin, end), empty ones with zeros. Asia/Shanghai has no daylight saving, so steps are even. */
export const timelineOf = (grain: Grain, begin: Date, end: Date, buckets: readonly Bucket[]): LineStat => {
  const byStart = new Map(buckets.map(bucket => [bucket.at, bucket]))
  const first = bucketStart(grain, begin).getTime()
  const line = { x: [] as string[], submitted: [] as number[], passed: [] as number[], paid: [] as number[] }
  for (let i = 0; i < pointsBetween(grain, begin, end); i += 1) {
    const at = toWireTime(new Date(first + i * stepMs[grain]))
    const bucket = byStart.get(at)
    line.x.push(grain === 'day' ? at.slice(0, 10) : at.slice(0, 16))
    line.submitted.push(bucket?.submitted ?? 0)
    line.passed.push(bucket?.passed ?? 0)
    line.paid.push(bucket?.paid ?? 0)
  }
  const shown = [line.submitted, line.passed, line.paid].flat().reduce((sum, count) => sum + count, 0)
  const all = buckets.reduce((sum, bucket) => sum + bucket.submitted + bucket.passed + bucket.paid, 0)
  return { ...line, outside: all - shown }
}
