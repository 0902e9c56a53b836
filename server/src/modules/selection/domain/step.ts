import { step } from '#contract/kernel/machine.ts'
import { type StepEvent, type StepState, stepMachine } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'

/** 1 passed, 2 not passed, 3 gave up, 4 a second check. */
export type StageResult = 1 | 2 | 3 | 4

export interface StepFacts {
  readonly stage: number
  readonly step: StepState
  /** Had a second medical check already. */
  readonly rechecked: boolean
}

/** Only a first medical check that was not passed can be repeated (amendment A10). */
export const eventOfResult = (result: StageResult, facts: StepFacts): StepEvent => {
  if (result === 1) return 'pass'
  if (result === 3) return 'giveUp'
  if (result === 4) return 'askRecheck'
  return facts.stage === stages.medical && !facts.rechecked && facts.step === 'open' ? 'failOnce' : 'fail'
}
export const nextStep = (result: StageResult, facts: StepFacts): StepState | undefined =>
  step(stepMachine, facts.step, eventOfResult(result, facts))
