import { readStored, writeStored } from '#web/kernel/storage.ts'
import type { SignItem } from '../wire.ts'
import type { FormValues } from './model.ts'

/** What this device keeps of a form that the server has not got yet. */
export interface LocalCopy {
  readonly values: FormValues
  readonly atMs: number
}

const nameOf = (examId: string, userId: string): string => `form-${userId}-${examId}`

/** Id numbers, phones and other sensitive answers never lie in the browser's store: a phone may be shared. */
const withoutSensitive = (values: FormValues, items: readonly SignItem[]): FormValues => {
  const hidden = new Set(
    items.filter(item => item.sensitive === 2 || item.fieldType === 'idcard' || item.fieldType === 'phone').map(item => item.itemKey),
  )
  return { ...values, content: Object.fromEntries(Object.entries(values.content).filter(([key]) => !hidden.has(key))) }
}

export const keepLocal = (examId: string, userId: string, items: readonly SignItem[], values: FormValues, atMs: number): void =>
  writeStored(nameOf(examId, userId), { values: withoutSensitive(values, items), atMs } satisfies LocalCopy)

export const readLocal = (examId: string, userId: string): LocalCopy | null => readStored<LocalCopy>(nameOf(examId, userId))

export const dropLocal = (examId: string, userId: string): void => writeStored(nameOf(examId, userId), null)
