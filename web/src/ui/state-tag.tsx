import { useCallback } from 'react'
import { type States, stateOfWire } from '#contract/kernel/machine.ts'
import { useLabel } from '../kernel/i18n/index.ts'
import { StatusTag } from './status-tag.tsx'

/** A state as every screen shows it: word, colour and sign are the contract's. A number that is no state shows itself. */
export const StateTag = <S extends string>({ of, wire }: { readonly of: States<S>; readonly wire: number }) => {
  const label = useLabel()
  const state = stateOfWire(of, wire)
  return state === undefined ? wire : <StatusTag tone={of.tone[state]} text={label(of.label[state])} />
}

/** The word of a state, where it stands in a sentence. */
export const useStateWord = () => {
  const label = useLabel()
  return useCallback(
    <S extends string>(of: States<S>, wire: number): string => {
      const state = stateOfWire(of, wire)
      return state === undefined ? String(wire) : label(of.label[state])
    },
    [label],
  )
}

/** The states that a list is narrowed to. @param but - those that nobody looks for */
export const useStateOptions = <S extends string>(of: States<S>, ...but: readonly NoInfer<S>[]) => {
  const label = useLabel()
  return (Object.keys(of.wire) as S[])
    .filter(state => !but.includes(state))
    .map(state => ({ value: String(of.wire[state]), label: label(of.label[state]) }))
}
