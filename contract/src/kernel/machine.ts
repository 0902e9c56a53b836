import type { Tone } from './field.ts'
import type { Label } from './label.ts'

/** The states of something and how every screen shows them: the number on the wire, the word, and the tone that gives colour and sign. */
export interface States<S extends string> {
  readonly wire: { readonly [State in S]: number }
  readonly label: { readonly [State in S]: Label }
  readonly tone: { readonly [State in S]: Tone }
}

/** States that no machine leads through, such as those another system reports. */
export const defineStates = <S extends string>(states: States<S>): States<S> => states

/**
 * A state machine as data: screens draw their buttons from it, decisions step through it, the documentation is printed from it.
 * Inside the code states have names; the wire carries the domain's numbers through `wire` (decision 3.15).
 */
export interface Machine<S extends string, E extends string> extends States<S> {
  readonly name: string
  readonly initial: S
  readonly on: { readonly [From in S]: { readonly [Event in E]?: S } }
}

export const defineMachine = <S extends string, E extends string>(machine: Machine<S, E>): Machine<S, E> => machine

/** Where an event leads; undefined where it is not allowed. */
export const step = <S extends string, E extends string>(machine: Machine<S, E>, from: S, event: E): S | undefined =>
  machine.on[from][event]
export const can = <S extends string, E extends string>(machine: Machine<S, E>, from: S, event: E): boolean =>
  machine.on[from][event] !== undefined

/** The state behind a number of the wire; undefined for a number that is none. */
export const stateOfWire = <S extends string>(states: States<S>, wire: number): S | undefined =>
  (Object.keys(states.wire) as S[]).find(state => states.wire[state] === wire)
