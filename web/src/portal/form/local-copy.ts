import { epochOf } from '#web/kernel/format.ts'
import type { SignItem, SignupForm } from '../wire.ts'
import { readKept, writeKept } from './kept.ts'
import { type FormValues, startValues, withinOpenParts } from './model.ts'

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

const readLocal = (examId: string, userId: string): LocalCopy | null => readKept<LocalCopy>(examId, userId)

export const dropLocal = (examId: string, userId: string): void => writeKept(examId, userId, null)

/**
 * A copy goes when the server has all of it. One that is left from just before the last save was typed while that was on its way, or its
 * answer was lost; the server tells seconds, and a device's idea of its time is off by some. Only a later save is another device's.
 */
const sameSaveMs = 60_000

/** What the form starts with when this device has something newer than the server; null when it has not. */
export const restoredValues = (form: SignupForm, userId: string, today: string): { values: FormValues; atMs: number } | null => {
  if (!form.canSubmit) return null
  const copy = readLocal(form.exam.id, userId)
  const [saved = 0, handedIn = 0] = [form.savedAt, form.signup?.submitTime].map(time => (time ? epochOf(time) : 0))
  if (copy === null || copy.atMs <= Math.max(saved - sameSaveMs, handedIn)) return null
  const start = startValues(form, today)
  // Files are with the server or nowhere.
  return { values: withinOpenParts(form, start, { ...copy.values, files: start.files }), atMs: copy.atMs }
}
