import { nextDue, type Timing, timing } from '#contract/job/schedule.ts'
import { platformLimits } from '#contract/job/words.ts'

/** Later than this a time counts as missed: nothing was there to run it. */
export const missedMs = 60_000
/** Missed times that are run one by one. */
const mostMissed = 100

export interface DueJob extends Timing {
  readonly nextTime: Date
  readonly missedPolicy: number
  readonly maxInstanceNum: number
  /** Runs that wait or go on. */
  readonly live: number
}
interface Plan {
  readonly runs: readonly { readonly dueAt: Date; readonly isRefused: boolean }[]
  readonly next: Date | undefined
}

/** The own limit, or the platform's where there is none; never more than that. */
export const limitOf = (own: number, platform: number): number => (own === 0 ? platform : Math.min(own, platform))

/** The times from one that has come up to now, at most so many, and the first that is not among them. */
const timesFrom = (
  job: DueJob,
  first: Date | undefined,
  now: Date,
  most: number,
): { readonly times: Date[]; readonly next: Date | undefined } => {
  const times: Date[] = []
  let at = first
  // A delay has one time at a time: the next hangs on the end of the run.
  for (; at !== undefined && at <= now && times.length < most; at = job.timeExpressionType === timing.delay ? undefined : nextDue(job, at))
    times.push(at)
  return { times, next: at }
}

/** The first time from an instant on; a rate keeps its step. */
const firstFrom = (job: DueJob, instant: Date): Date | undefined => {
  if (job.timeExpressionType !== timing.rate) return nextDue(job, new Date(instant.getTime() - 1))
  const step = Number(job.timeExpression)
  const steps = Math.ceil((instant.getTime() - job.nextTime.getTime()) / step)
  return nextDue(job, new Date(job.nextTime.getTime() + (steps - 1) * step))
}

/** What becomes of the times of a job that have come, and when it is due next. */
export const planOf = (job: DueJob, now: Date): Plan => {
  const { missedPolicy, live, nextTime } = job
  const limit = limitOf(job.maxInstanceNum, platformLimits.instances)
  const inTime = new Date(now.getTime() - missedMs)
  const isMissed = nextTime < inTime
  const begun = isMissed && missedPolicy === 3 ? timesFrom(job, nextTime, inTime, mostMissed).times : []
  // Behind a standstill the times are taken up where they are in time again; nobody counts through those in between.
  const isDelay = job.timeExpressionType === timing.delay
  const first = !isMissed ? nextTime : isDelay ? (missedPolicy === 2 ? undefined : nextTime) : firstFrom(job, inTime)
  const { times, next } = timesFrom(job, first, now, 1_000)
  const kept = isMissed && missedPolicy === 1 && times.length === 0 ? [nextTime] : [...begun.filter(at => at < inTime), ...times]
  return {
    runs: kept.map((dueAt, index) => ({ dueAt, isRefused: live + index >= limit })),
    next: isDelay && kept.length === 0 ? nextDue(job, now) : next,
  }
}
