import { stateOfWire } from '#contract/kernel/machine.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'

/** The state that was asked for, else the one that waits at the level that was asked for; undefined: all. */
export const statesAsked = ({
  examine: wire,
  level,
}: {
  readonly examine?: number | undefined
  readonly level?: number | undefined
}): readonly SignupState[] | undefined => {
  const asked = wire === undefined ? undefined : stateOfWire(signupMachine, wire)
  if (asked) return [asked]
  if (level === undefined) return undefined
  return [level === 1 ? 'waiting' : 'second']
}

/** The states that wait for the decision of somebody who may decide at these levels; all that wait, for those who only look on. */
export const statesWaitingFor = (levels: readonly (1 | 2)[]): readonly SignupState[] =>
  levels.length === 0 ? ['waiting', 'second'] : levels.map(level => (level === 1 ? 'waiting' : 'second'))
