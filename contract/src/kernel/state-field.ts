import type { Tone } from './field.ts'
import type { Label } from './label.ts'
import type { States } from './machine.ts'

/** Words and tones of a declared field that holds such a state, by their numbers. */
export const stateField = <S extends string>(states: States<S>) => {
  const names = Object.keys(states.wire) as S[]
  return {
    words: Object.fromEntries(names.map(name => [states.wire[name], states.label[name]])) as Readonly<Record<string, Label>>,
    tones: Object.fromEntries(names.map(name => [states.wire[name], states.tone[name]])) as Readonly<Record<string, Tone>>,
  }
}
