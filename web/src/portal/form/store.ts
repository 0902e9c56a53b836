import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { withDerived } from '#contract/signup/content.ts'
import { serverNow } from '#web/kernel/clock.ts'
import type { AutoCheck, Judged } from '../wire.ts'
import { editsAfter, type Sync } from './draft.ts'
import type { FormValues, Problem } from './model.ts'

export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'dirty' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly atMs: number }
  | { readonly kind: 'local' }
  | { readonly kind: 'refused'; readonly reason: string }

/** A condition that is not met; a person may decide on it where the candidate insists. */
export type Unmet = AutoCheck & { readonly mayInsist?: boolean }

/** Why what was sent was not taken. */
export interface Refusal {
  readonly message: string
  readonly conditions: readonly Unmet[]
  /** It is no refusal: the form is confirmed and its files are on their way. */
  readonly isNews?: boolean
  /** None of them is certain: the candidate may have a person decide. */
  readonly mayInsist?: boolean
  /** The posts whose conditions are not met, as they were chosen when the form was sent. */
  readonly posts?: readonly string[]
  /** Somebody else has the number: where one says that it is one's own. */
  readonly appeal?: string
}

/** The choice between two values: asked now, held up by it (somebody wanted to go on), or put off until the candidate asks for it. */
export type Asking = 'now' | 'first' | 'later'

export interface FormState extends Sync {
  readonly values: FormValues
  /** Counts changes, so that a save knows whether something came after it. */
  readonly revision: number
  readonly problems: readonly Problem[]
  readonly save: SaveState
  /** As the last save was answered, or as the form came. */
  readonly judged: Judged
  readonly promise: boolean
  /** Of the picture that signs the undertaking; empty before somebody has signed. */
  readonly signature: string
  readonly asking: Asking
  /** Of the form as it was sent: gone with the next change. */
  readonly refusal: Refusal | null
}
export type FormStore = UseBoundStore<StoreApi<FormState>>

export const newFormStore = (values: FormValues, judged: Judged, sync: Sync): FormStore =>
  create<FormState>(() => ({
    ...{ values, judged, ...sync, revision: 0, problems: [], save: { kind: 'idle' }, promise: false, signature: '' },
    ...{ asking: 'now', refusal: null },
  }))

const changed = (state: FormState, values: FormValues) => ({
  values,
  edits: editsAfter(state, state.values, values, Math.round(serverNow())),
  revision: state.revision + 1,
  save: { kind: 'dirty' } as const,
  refusal: null,
})

export const change = (store: FormStore, patch: Partial<FormValues>): void =>
  store.setState(state => ({
    ...changed(state, { ...state.values, ...patch }),
    judged: withoutTold(
      state.judged,
      field => field.includes('.') || (patch.files !== undefined && isOtherFile(state.values.files, patch.files, field)),
    ),
  }))

/** Whether the files under this key, `file:<fileKey>`, are no longer those that were judged. */
const isOtherFile = (before: FormValues['files'], after: FormValues['files'], field: string): boolean => {
  const idsOf = (files: FormValues['files']) => files.filter(file => `file:${file.fileKey}` === field).map(file => file.fileId)
  return idsOf(before).join() !== idsOf(after).join()
}

/** Sets one answer; the id card number brings birthday and sex with it. What was wrong about the field is taken back. */
export const answer = (store: FormStore, key: string, value: unknown, today: string): void =>
  store.setState(state => {
    const content = { ...state.values.content, [key]: value }
    return {
      ...changed(state, { ...state.values, content: key === 'idCard' ? withDerived(content, today) : content }),
      problems: state.problems.filter(problem => problem.key !== key && !problem.key.startsWith(`${key}.`)),
      judged: withoutTold(state.judged, field => field === key || field.startsWith(`${key}.`)),
    }
  })

/** What was told about something that has changed since is not known until the next save has been answered. */
export const withoutTold = (judged: Judged, isChanged: (field: string) => boolean): Judged => ({
  ...judged,
  told: judged.told.filter(({ field }) => !isChanged(field)),
})

/** Replaces what is known to be wrong about the keys of `scope`. */
export const setProblems = (store: FormStore, problems: readonly Problem[], scope: (key: string) => boolean = () => true): void =>
  store.setState(state => ({ problems: [...state.problems.filter(problem => !scope(problem.key)), ...problems] }))

export const problemOf = (problems: readonly Problem[], key: string): string | undefined =>
  problems.find(problem => problem.key === key)?.message
