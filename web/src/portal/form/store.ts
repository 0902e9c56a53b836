import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { withDerived } from '#contract/signup/content.ts'
import type { FormValues, Problem } from './model.ts'

export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'dirty' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly atMs: number }
  | { readonly kind: 'local' }
  | { readonly kind: 'refused'; readonly reason: string }

export interface FormState {
  readonly values: FormValues
  /** Counts changes, so that a save knows whether something came after it. */
  readonly revision: number
  readonly problems: readonly Problem[]
  readonly save: SaveState
  readonly promise: boolean
  /** Of the picture that signs the undertaking; empty before somebody has signed. */
  readonly signature: string
}
export type FormStore = UseBoundStore<StoreApi<FormState>>

export const newFormStore = (values: FormValues): FormStore =>
  create<FormState>(() => ({ values, revision: 0, problems: [], save: { kind: 'idle' }, promise: false, signature: '' }))

const dirty = { kind: 'dirty' } as const

export const change = (store: FormStore, patch: Partial<FormValues>): void =>
  store.setState(state => ({ values: { ...state.values, ...patch }, revision: state.revision + 1, save: dirty }))

/** Sets one answer; the id card number brings birthday and sex with it. What was wrong about the field is taken back. */
export const answer = (store: FormStore, key: string, value: unknown, today: string): void =>
  store.setState(state => {
    const content = { ...state.values.content, [key]: value }
    return {
      values: { ...state.values, content: key === 'idCard' ? withDerived(content, today) : content },
      revision: state.revision + 1,
      save: dirty,
      problems: state.problems.filter(problem => problem.key !== key && !problem.key.startsWith(`${key}.`)),
    }
  })

/** Replaces what is known to be wrong about the keys of `scope`. */
export const setProblems = (store: FormStore, problems: readonly Problem[], scope: (key: string) => boolean = () => true): void =>
  store.setState(state => ({ problems: [...state.problems.filter(problem => !scope(problem.key)), ...problems] }))

export const problemOf = (problems: readonly Problem[], key: string): string | undefined =>
  problems.find(problem => problem.key === key)?.message
