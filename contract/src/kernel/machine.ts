/**
 * A state machine as data: screens draw their buttons from it, decisions step through it, the documentation is printed from it.
 * Inside the code states have names; the wire carries the domain's numbers through `wire` (decision 3.15).
 */
export interface Machine<S extends string, E extends string> {
  readonly name: string
  readonly initial: S
  readonly on: { readonly [From in S]: { readonly [Event in E]?: S } }
  readonly wire: { readonly [State in S]: number }
  readonly label: { readonly [State in S]: { readonly zh: string; readonly en: string } }
}

export const defineMachine = <S extends string, E extends string>(machine: Machine<S, E>): Machine<S, E> => machine

/** Where an event leads; undefined where it is not allowed. */
export const step = <S extends string, E extends string>(machine: Machine<S, E>, from: S, event: E): S | undefined =>
  machine.on[from][event]
export const can = <S extends string, E extends string>(machine: Machine<S, E>, from: S, event: E): boolean =>
  machine.on[from][event] !== undefined

/** The state behind a number of the wire; undefined for a number that is none. */
export const stateOfWire = <S extends string, E extends string>(machine: Machine<S, E>, wire: number): S | undefined =>
  (Object.keys(machine.wire) as S[]).find(state => machine.wire[state] === wire)
