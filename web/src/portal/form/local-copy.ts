import { changedParts, type Edits, isPartOpen } from '#contract/signup/draft-merge.ts'
import { epochOf } from '#web/kernel/format.ts'
import type { SignItem, SignupForm } from '../wire.ts'
import { takeFields, valueParts } from './draft.ts'
import { readKept, writeKept } from './kept.ts'
import { type FormValues, openPartsOf, startValues, withinOpenParts } from './model.ts'

/** What this device keeps of a form that the server has not got yet. */
export interface LocalCopy {
  readonly values: FormValues
  readonly atMs: number
  /** The fields that were changed here; absent in copies of earlier versions of this program. */
  readonly edits?: Edits
  /** Sensitive fields that were typed and that the server has not got, by when; what was typed is not kept. */
  readonly unkept?: Readonly<Record<string, number>>
}

/** Id numbers, phones and other sensitive answers never lie in the browser's store: a phone may be shared. */
const withoutSensitive = (values: FormValues, edits: Edits, items: readonly SignItem[]): Pick<LocalCopy, 'values' | 'edits' | 'unkept'> => {
  const hidden = new Set(
    items.filter(item => item.sensitive === 2 || item.fieldType === 'idcard' || item.fieldType === 'phone').map(item => item.itemKey),
  )
  const kept = <T>(record: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(record).filter(([key]) => !hidden.has(key)))
  const unkept = Object.fromEntries(Object.entries(edits).flatMap(([key, { at }]) => (hidden.has(key) ? [[key, at] as const] : [])))
  return { values: { ...values, content: kept(values.content) }, edits: kept(edits), unkept }
}

/** Keeps what was typed beside what another tab has typed into the same form: of each field the later. */
export const keepLocal = (
  examId: string,
  userId: string,
  items: readonly SignItem[],
  typed: FormValues,
  edits: Edits,
  atMs: number,
): void => {
  const mine = withoutSensitive(typed, edits, items)
  const other = readLocal(examId, userId)
  const others = Object.entries(other?.edits ?? {}).filter(([key, edit]) => edit.at > (mine.edits?.[key]?.at ?? 0))
  const values = other === null ? mine.values : takeFields(mine.values, other.values, new Set(others.map(([key]) => key)))
  const unkept = { ...other?.unkept, ...mine.unkept }
  writeKept(examId, userId, { values, atMs, edits: { ...mine.edits, ...Object.fromEntries(others) }, unkept } satisfies LocalCopy)
}

const readLocal = (examId: string, userId: string): LocalCopy | null => readKept<LocalCopy>(examId, userId)

export const dropLocal = (examId: string, userId: string): void => writeKept(examId, userId, null)

/** The server has these fields: what is left was typed since, or in another tab. */
export const settleLocal = (examId: string, userId: string, taken: Edits): void => {
  const copy = readLocal(examId, userId)
  if (copy === null) return
  const left = Object.entries(copy.edits ?? {}).filter(([key, edit]) => edit.at > (taken[key]?.at ?? 0))
  const lost = Object.entries(copy.unkept ?? {}).filter(([key, at]) => at > (taken[key]?.at ?? 0))
  if (left.length + lost.length === 0) dropLocal(examId, userId)
  else writeKept(examId, userId, { ...copy, edits: Object.fromEntries(left), unkept: Object.fromEntries(lost) } satisfies LocalCopy)
}

/** Sensitive fields that were typed here before the page was left, and that nobody has: they have to be typed once more. */
export const lostFields = (form: SignupForm, userId: string): readonly string[] => {
  const unkept = form.canSubmit ? Object.keys(readLocal(form.exam.id, userId)?.unkept ?? {}) : []
  const open = openPartsOf(form)
  return unkept.filter(key => isPartOpen(open, key))
}

/** The person has read which these are. */
export const forgetLost = (examId: string, userId: string): void => {
  const copy = readLocal(examId, userId)
  if (copy?.unkept === undefined) return
  const { unkept: _, ...rest } = copy
  if (Object.keys(rest.edits ?? {}).length === 0) dropLocal(examId, userId)
  else writeKept(examId, userId, rest satisfies LocalCopy)
}

/**
 * A copy of an earlier version of this program tells no fields: it goes for the whole form where no other device has saved since. One that is
 * left from just before the last save was typed while that was on its way; the server tells seconds, and a device's time is off by some.
 */
const sameSaveMs = 60_000
const isOutdated = (form: SignupForm, { atMs }: LocalCopy): boolean => {
  const [saved = 0, handedIn = 0] = [form.savedAt, form.signup?.submitTime].map(time => (time ? epochOf(time) : 0))
  return atMs <= Math.max(saved - sameSaveMs, handedIn)
}

/** Fields that are other than what the server has. */
const differingFrom = ({ asksRegion }: SignupForm, start: FormValues, typed: FormValues): readonly string[] =>
  changedParts(valueParts(start, asksRegion), valueParts(typed, asksRegion))

/** Whether the server has all that was changed here: its answer was lost, or another tab has sent it. */
export const hasArrived = (form: SignupForm, userId: string, today: string): boolean => {
  const copy = readLocal(form.exam.id, userId)
  const fields = new Set(Object.keys(copy?.edits ?? {}))
  if (copy === null || fields.size === 0) return false
  const start = startValues(form, today)
  return differingFrom(form, start, takeFields(start, copy.values, fields)).length === 0
}

export interface Restored {
  readonly values: FormValues
  readonly atMs: number
  readonly edits: Edits
}

/** What the form starts with when this device has something the server has not got; null when it has not. */
export const restoredValues = (form: SignupForm, userId: string, today: string): Restored | null => {
  if (!form.canSubmit) return null
  const copy = readLocal(form.exam.id, userId)
  if (copy === null || (copy.edits === undefined && isOutdated(form, copy))) return null
  const start = startValues(form, today)
  // Files are with the server or nowhere: an upload that has arrived is known by its number.
  const typed = withinOpenParts(form, start, copy.edits === undefined ? { ...copy.values, files: start.files } : copy.values)
  const differing = differingFrom(form, start, typed)
  const edits: Edits =
    copy.edits === undefined
      ? Object.fromEntries(differing.map(key => [key, { at: copy.atMs, base: form.draftVersion }]))
      : Object.fromEntries(Object.entries(copy.edits).filter(([key]) => differing.includes(key)))
  const fields = new Set(Object.keys(edits))
  return fields.size === 0 ? null : { values: takeFields(start, typed, fields), atMs: copy.atMs, edits }
}
