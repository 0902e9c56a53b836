import { answerText } from '#contract/signup/answer-text.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { answerWords } from '#web/kernel/i18n/answer-words.ts'

export type ExamineInfo = ApiOutput<'GET /blade-signup/examine/getExamineInfo'>
export type FormGroup = ExamineInfo['items'][number]
export type FormField = FormGroup['items'][number]
export type ShownFile = ExamineInfo['signup']['files'][number]
export type Check = ExamineInfo['signup']['checks'][number]
export type CheckResult = Check['result']

/** Waiting for somebody's decision (domain 4.2). */
export const isWaiting = (wire: number): boolean => wire === signupMachine.wire.waiting || wire === signupMachine.wire.second

/** The step of the review a sign-up is in now, as the key of its text: one that was decided is in neither, at whatever level it was. */
export const stepOf = (wire: number) =>
  wire === signupMachine.wire.waiting ? 'level.1' : wire === signupMachine.wire.second ? 'level.2' : 'level.0'

export const isCheckResult = (value: string | null): value is CheckResult => value === 'ok' || value === 'warn' || value === 'no'

/** How long a sign-up has waited, in the unit a person would use. */
export const waitOf = (
  minutes: number,
):
  | { readonly unit: 'minutes'; readonly n: number }
  | { readonly unit: 'hours'; readonly h: number }
  | { readonly unit: 'days'; readonly d: number; readonly h: number } => {
  if (minutes < 60) return { unit: 'minutes', n: Math.max(0, Math.floor(minutes)) }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { unit: 'hours', h: hours } : { unit: 'days', d: Math.floor(hours / 24), h: hours % 24 }
}

/** Amber after a day, red after two. */
export const waitTone = (minutes: number): 'fresh' | 'soon' | 'long' =>
  minutes >= 2 * 24 * 60 ? 'long' : minutes >= 24 * 60 ? 'soon' : 'fresh'

/** Milliseconds as `3:07` or `1:02:09`. */
export const clockOf = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const pad = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`
}

type Options = readonly { readonly value: string; readonly label: string }[] | null | undefined

/** A value of a form in words; tables and what has no words give null. */
export const wordsOf = (options: Options, value: unknown): string | null => {
  const isPlain = !(Array.isArray(value) ? value : [value]).some(one => typeof one === 'object' && one !== null && !Array.isArray(one))
  return isPlain ? answerText({ fieldType: 'select', options }, value, answerWords()) : null
}

/** Any value of a form in words, whatever was stored. */
export const textOf = (field: FormField | undefined, value: unknown): string =>
  answerText(
    { fieldType: field?.fieldType ?? 'text', options: field?.options, columns: field && columnsShown(field) },
    value,
    answerWords(),
  )
const columnsShown = (field: FormField) => columnsOf(field).map(column => ({ ...column, fieldType: 'text' }))

export interface TableColumn {
  readonly key: string
  readonly label: string
  /** What its cells choose from, in the reader's language. */
  readonly options?: Options
}
const isColumn = (value: unknown): value is TableColumn =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as TableColumn).key === 'string' &&
  typeof (value as TableColumn).label === 'string'

export const columnsOf = (field: Pick<FormField, 'columns'>): readonly TableColumn[] =>
  Array.isArray(field.columns) ? field.columns.filter(isColumn) : []

export const rowsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null) : []
