import type { Tone as StateTone } from '#contract/kernel/field.ts'
import { type States, stateOfWire } from '#contract/kernel/machine.ts'
import type { Tone } from './ui.tsx'

/** The contract's tones in the portal's colours: what waits for the office is on its way, amber is kept for what waits for the candidate. */
export const portalTones: Readonly<Record<StateTone, Tone>> = {
  ...{ draft: 'neutral', waiting: 'active', active: 'active', passed: 'success', refused: 'danger', closed: 'neutral' },
}

/** The colour of a state. */
export const toneOf = <S extends string>(of: States<S>, wire: number): Tone => {
  const state = stateOfWire(of, wire)
  return state === undefined ? 'neutral' : portalTones[of.tone[state]]
}
