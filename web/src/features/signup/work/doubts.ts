import type { ExamineInfo } from '../show.ts'
import type { Advices } from './advices.ts'

/** What speaks against passing a sign-up. */
export interface Doubts {
  /** Conditions of the post that are not met, by name. */
  readonly red: readonly string[]
  /** Advised places, which go nowhere with a pass. */
  readonly advices: number
  /** The portrait is marked as not good. */
  readonly isBad: boolean
  /** The portrait needs a person's judgement and has none. */
  readonly isUnjudged: boolean
  /** Windows that are over, in words of the server. */
  readonly late: readonly string[]
}

/**
 * Undefined where nothing speaks against it.
 * @param judgedNow - what the reviewer has just marked the portrait as; null: nothing, so that what was marked before stands
 */
export const doubtsAbout = (
  { checks, photoState }: Pick<ExamineInfo['signup'], 'checks' | 'photoState'>,
  advices: Advices,
  judgedNow: 0 | 1 | 2 | null,
  late: readonly string[] = [],
): Doubts | undefined => {
  const judged = judgedNow ?? photoState
  const found = {
    red: checks.filter(check => check.result === 'no').map(check => check.ruleLabel),
    advices: Object.keys(advices).length,
    isBad: judged === 2,
    // Where the program could not tell, somebody has to have looked.
    isUnjudged: judged === 0 && checks.some(check => check.rule === 'photo' && check.result === 'warn'),
    late,
  }
  return found.red.length + found.advices + late.length === 0 && !found.isBad && !found.isUnjudged ? undefined : found
}
