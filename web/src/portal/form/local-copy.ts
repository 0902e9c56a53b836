import { epochOf } from '#web/kernel/format.ts'
import type { SignItem, SignupForm } from '../wire.ts'
import { readKept, writeKept } from './kept.ts'
import { type FormValues, startValues } from './model.ts'

/** What this device keeps of a form that the server has not got yet. */
export interface LocalCopy {
  readonly values: FormValues
  readonly atMs: number
}

/** Id numbers, phones and other sensitive answers never lie in the browser's store: a phone may be shared. */
const withoutSensitive = (values: FormValues, items: readonly SignItem[]): FormValues => {
  const hidden = new Set(
    items.filter(item => item.sensitive === 2 || item.fieldType === 'idcard' || item.fieldType === 'phone').map(item => item.itemKey),
  )
  return { ...values, content: Object.fromEntries(Object.entries(values.content).filter(([key]) => !hidden.has(key))) }
}

export const keepLocal = (examId: string, userId: string, items: readonly SignItem[], values: FormValues, atMs: number): void =>
  writeKept(examId, userId, { values: withoutSensitive(values, items), atMs } satisfies LocalCopy)

export const readLocal = (examId: string, userId: string): LocalCopy | null => readKept<LocalCopy>(examId, userId)

export const dropLocal = (examId: string, userId: string): void => writeKept(examId, userId, null)

/**
 * What the form starts with when this device has something newer than the server; null when it has not. A form that was returned
 * is not touched: only the named places are open there.
 */
export const restoredValues = (form: SignupForm, userId: string, today: string): { values: FormValues; atMs: number } | null => {
  if (!form.canSubmit || form.signup?.examine === 3) return null
  const copy = readLocal(form.exam.id, userId)
  if (copy === null || copy.atMs <= (form.draft?.savedAt ? epochOf(form.draft.savedAt) : 0)) return null
  const start = startValues(form, today)
  return { values: { ...copy.values, content: { ...start.content, ...copy.values.content }, files: start.files }, atMs: copy.atMs }
}
