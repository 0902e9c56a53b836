import { formatInstant, parseInstant } from '#contract/exam/window.ts'
import { copyOf, draftOf, toBody } from '../edit/draft.ts'
import { timeFields } from '../edit/fields.ts'
import type { ExamDetail } from '../wire.ts'

export interface NewExam {
  readonly examName: string
  readonly examCode: string
  readonly examNo: number
  /** `yyyy-MM-dd`: everything else moves by as many days. */
  readonly signDay: string
}

const msOfDay = 86_400_000
const dayMs = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
/** By how many days a copy is later than its pattern. */
export const daysLater = (signBegin: string, signDay: string): number => Math.round((dayMs(signDay) - dayMs(signBegin)) / msOfDay)

/** The name with the year of the copy; one without another year says that it is a copy, and is not released so. */
export const nameFor = (name: string, year: number, mark: string): string => {
  const named = name.replace(/20\d{2}(?=年)/, String(year))
  return named === name ? `${name}${mark}` : named
}

/** What makes an examination after the pattern of another: its form, files, papers, rooms and posts are copied where they are kept. */
export const bodyOf = (exam: ExamDetail, made: NewExam): object => {
  const draft = copyOf(draftOf(exam), Number(made.signDay.slice(0, 4)))
  const days = exam.signBegin === null ? 0 : daysLater(exam.signBegin, made.signDay)
  const moved = Object.keys(timeFields).map(name => {
    const value = exam[name]
    const ms = typeof value === 'string' ? parseInstant(value) : undefined
    return [name, ms === undefined ? null : formatInstant(ms + days * msOfDay)]
  })
  const { examName, examCode, examNo } = made
  const body = toBody({ ...draft, values: { ...draft.values, ...Object.fromEntries(moved), examName, examCode, examNo } })
  const { signitems: _items, signfiles: _files, examitems: _papers, ...values } = body as Record<string, unknown>
  return { ...values, copyFrom: exam.id }
}
