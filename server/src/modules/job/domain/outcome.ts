import { platformLimits, runState } from '#contract/job/words.ts'
import { limitOf } from './plan.ts'

export interface Tried {
  readonly attempt: number
  readonly isPart: boolean
  readonly instanceRetryNum: number
  readonly taskRetryNum: number
}

const firstPauseMs = 5_000
const longestPauseMs = 300_000

/** When a failed run, or part of one, is tried again; undefined when it is not. */
export const retryAfterMs = ({ attempt, isPart, instanceRetryNum, taskRetryNum }: Tried): number | undefined =>
  attempt > Math.min(isPart ? taskRetryNum : instanceRetryNum, platformLimits.retries)
    ? undefined
    : Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)

/** The whole of parts that have all ended. */
export const wholeOf = (states: readonly number[]): { readonly state: number; readonly failed: number } => {
  const failed = states.filter(state => state === runState.failed).length
  if (states.some(state => state === runState.stopped || state === runState.cancelled)) return { state: runState.stopped, failed }
  return { state: failed > 0 ? runState.failed : runState.done, failed }
}

export interface AlarmRule {
  readonly notifyUserIds: string
  readonly alertThreshold: number
  readonly silenceWindowLen: number
  readonly alarmedAt: Date | null
}

/** Whether a failure alarms: often enough within the window, and not within the silence after the last alarm. */
export const alarms = (rule: AlarmRule, failures: number, now: Date): boolean =>
  rule.notifyUserIds !== '' &&
  failures >= Math.max(1, rule.alertThreshold) &&
  (rule.alarmedAt === null || now.getTime() - rule.alarmedAt.getTime() >= rule.silenceWindowLen * 1000)

export const timeLimitOf = (own: number): number => limitOf(own, platformLimits.timeMs)
