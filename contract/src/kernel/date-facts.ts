import type { Doubt } from './asking.ts'
import { type Label, label } from './label.ts'
import { fromWireTime, toWireDay } from './when.ts'

/**
 * Facts that have a date, and between which moments they can lie. One table for forms, workbooks and calls. What cannot be is refused everywhere; what is
 * unlikely (`asks`) is taken once whoever sends it confirms it. Of several bounds that a date breaks the first says what is wrong.
 */
interface Bound {
  readonly of: Anchor
  /** Moves the bound. */
  readonly years?: number
  readonly months?: number
  readonly asks?: true
  readonly says: Label
}
/** What a date is held against: `now`, and what the row tells of itself. */
export type Anchor = 'now' | 'examBegan' | 'signBegin' | 'born' | 'begin' | 'windowEnd'
interface DateRule {
  readonly notBefore?: readonly Bound[]
  readonly notAfter?: readonly Bound[]
}
const asks = true

export const dateFacts = {
  /** When a payment came that is entered by hand; an examination began with its making or its sign-up, whichever was first. */
  paidTime: {
    notBefore: [
      { of: 'examBegan', says: label('缴费时间不能早于报名开始', 'Paid before the sign-up began') },
      { of: 'signBegin', asks, says: label('缴费时间早于报名开始', 'It was paid before the sign-up began') },
      { of: 'now', years: -1, asks, says: label('缴费时间早于一年前', 'It was paid more than a year ago') },
    ],
    notAfter: [{ of: 'now', says: label('缴费时间不能晚于现在', 'The time of payment lies in the future') }],
  },
  leaveBegin: {
    notBefore: [
      { of: 'now', years: -2, says: label('请假开始时间不能早于两年前', 'A leave cannot begin more than two years ago') },
      { of: 'now', months: -3, asks, says: label('请假开始时间早于三个月前', 'The leave began more than three months ago') },
    ],
    notAfter: [
      { of: 'now', years: 2, says: label('请假开始时间不能晚于两年后', 'A leave cannot begin more than two years ahead') },
      { of: 'now', years: 1, asks, says: label('请假开始时间晚于一年后', 'The leave begins more than a year ahead') },
    ],
  },
  leaveEnd: { notBefore: [{ of: 'begin', says: label('结束时间须晚于开始时间', 'The end has to be after the beginning') }] },
  choiceEnd: {
    notBefore: [{ of: 'begin', says: label('选择截止须晚于选择开始', 'It must end after it begins') }],
    notAfter: [{ of: 'begin', months: 3, asks, says: label('选择时间超过三个月', 'There are more than three months to choose') }],
  },
  ticketRelease: {
    notAfter: [{ of: 'windowEnd', says: label('准考证打印时间已结束，请先延长打印时间', 'Printing has ended; move its end first') }],
  },
  birthday: {
    notBefore: [
      { of: 'now', years: -120, says: label('出生日期不能早于 120 年前', 'Born more than 120 years ago') },
      { of: 'now', years: -70, asks, says: label('年龄超过 70 周岁', 'Older than 70 years') },
    ],
    notAfter: [
      { of: 'now', says: label('出生日期不能晚于今天', 'The birth date lies in the future') },
      { of: 'now', years: -16, asks, says: label('年龄不满 16 周岁', 'Younger than 16 years') },
    ],
  },
  graduateDate: {
    notBefore: [
      { of: 'born', years: 15, says: label('毕业时间不能早于年满 15 周岁', 'Graduated before the age of 15') },
      { of: 'born', years: 18, asks, says: label('毕业时不满 18 周岁', 'Graduated before the age of 18') },
    ],
    notAfter: [
      { of: 'now', years: 10, says: label('毕业时间不能晚于十年后', 'The graduation lies more than ten years ahead') },
      { of: 'now', years: 1, asks, says: label('毕业时间晚于一年后', 'The graduation lies more than a year ahead') },
    ],
  },
  firstWorkDate: {
    notBefore: [
      { of: 'born', says: label('参加工作时间早于出生日期', 'First work before the birth date') },
      { of: 'born', years: 10, says: label('参加工作时间不能早于年满 10 周岁', 'First work before the age of 10') },
      { of: 'born', years: 16, asks, says: label('参加工作时不满 16 周岁', 'First work before the age of 16') },
    ],
    notAfter: [{ of: 'now', says: label('参加工作时间不能晚于今天', 'First work lies in the future') }],
  },
  titleDate: {
    notBefore: [
      { of: 'born', years: 16, says: label('取得职称时间不能早于年满 16 周岁', 'The title was given before the age of 16') },
      { of: 'born', years: 20, asks, says: label('取得职称时不满 20 周岁', 'The title was given before the age of 20') },
    ],
    notAfter: [{ of: 'now', says: label('取得职称时间不能晚于今天', 'The title lies in the future') }],
  },
  /** When somebody was heard, as noted by staff. */
  statementTime: {
    notBefore: [{ of: 'begin', says: label('陈述时间不能早于提出时间', 'The statement cannot be older than the proposal') }],
    notAfter: [{ of: 'now', says: label('陈述时间不能晚于现在', 'The statement cannot lie in the future') }],
  },
  /** Until when a fee that is entered by hand may be paid. */
  payDeadline: {
    notBefore: [{ of: 'now', says: label('缴费截止时间已过', 'The end of payment has passed') }],
    notAfter: [{ of: 'now', years: 1, asks, says: label('缴费截止时间晚于一年后', 'The end of payment lies more than a year ahead') }],
  },
  /** Of a medical check, a vetting, a publicity or a hire. */
  stageDate: {
    notBefore: [{ of: 'examBegan', says: label('日期不能早于报名开始', 'The date cannot be before the sign-up began') }],
    notAfter: [
      { of: 'now', years: 2, says: label('日期不能晚于两年后', 'The date cannot lie more than two years ahead') },
      { of: 'now', months: 3, asks, says: label('日期晚于三个月后', 'The date lies more than three months ahead') },
    ],
  },
  /** Of a bill of the provider: it comes when the day is over. */
  billDate: { notAfter: [{ of: 'now', says: label('账单日期应早于今天', 'The day has to lie before today') }] },
} as const satisfies Record<string, DateRule>
export type DateFact = keyof typeof dateFacts

const moved = (date: Date, { years = 0, months = 0 }: Pick<Bound, 'years' | 'months'>): number => {
  const at = new Date(date)
  const month = at.getUTCMonth() + months
  at.setUTCFullYear(at.getUTCFullYear() + years, month)
  // The 29th of February of a year that has none is its 28th.
  if (at.getUTCMonth() !== ((month % 12) + 12) % 12) at.setUTCDate(0)
  return at.getTime()
}

/** A bound that a date breaks, and on which side it lies. */
interface Broken extends Bound {
  readonly side: 'early' | 'late'
}
/** @param at - the moments that the date may mean at its earliest and latest: a month is before a day only when all of it is */
const brokenBounds = (
  fact: DateFact,
  at: { readonly first: Date; readonly last: Date },
  anchorOf: (anchor: Anchor, end: boolean) => Date | null | undefined,
): readonly Broken[] => {
  const { notBefore = [], notAfter = [] }: DateRule = dateFacts[fact]
  const early = notBefore.flatMap(bound => {
    const from = anchorOf(bound.of, false)
    return from && at.last.getTime() < moved(from, bound) ? [{ ...bound, side: 'early' as const }] : []
  })
  const late = notAfter.flatMap(bound => {
    const until = anchorOf(bound.of, true)
    return until && at.first.getTime() > moved(until, bound) ? [{ ...bound, side: 'late' as const }] : []
  })
  return [...early, ...late]
}
const problemOf = (broken: readonly Broken[]): Label | undefined => broken.find(bound => !bound.asks)?.says
const doubtsOf = (fact: DateFact, field: string, broken: readonly Broken[]): readonly Doubt[] => {
  if (problemOf(broken)) return []
  const doubts = broken.map(({ side, of, says }) => ({ id: `${fact}.${side}.${of}`, field, text: says }))
  // The nearest one of each side says it.
  return doubts.slice(0, 1)
}

type Anchors<T> = Readonly<Partial<Record<Anchor, T>>>

/**
 * What is wrong with the date of a fact; undefined where it can be. A bound whose anchor is not known does not bind.
 * @param anchors - moments, by the names of the table
 */
export const dateProblem = (fact: DateFact, at: Date, anchors: Anchors<Date | null>): Label | undefined =>
  problemOf(brokenBounds(fact, { first: at, last: at }, anchor => anchors[anchor]))

/** What is to be asked about a date that can be. @param field - the field of the input that holds it */
export const dateDoubts = (fact: DateFact, field: string, at: Date, anchors: Anchors<Date | null>): readonly Doubt[] =>
  doubtsOf(
    fact,
    field,
    brokenBounds(fact, { first: at, last: at }, anchor => anchors[anchor]),
  )

const dateOf = (text: string | undefined, end: boolean): Date | undefined => {
  if (text === undefined || !/^\d{4}-\d{2}(-\d{2})?$/.test(text)) return undefined
  const at = new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`)
  if (text.length === 7 && end) at.setUTCMonth(at.getUTCMonth() + 1, 0)
  return Number.isNaN(at.getTime()) ? undefined : at
}
const brokenDays = (fact: DateFact, typed: string, anchors: Anchors<string>): readonly Broken[] => {
  const [first, last] = [dateOf(typed, false), dateOf(typed, true)]
  return first && last ? brokenBounds(fact, { first, last }, (anchor, end) => dateOf(anchors[anchor], end)) : []
}

/** The same of a day or month as forms have it, `yyyy-MM-dd` or `yyyy-MM`. */
export const dayProblem = (fact: DateFact, typed: string, anchors: Anchors<string>): Label | undefined =>
  problemOf(brokenDays(fact, typed, anchors))
export const dayDoubts = (fact: DateFact, field: string, typed: string, anchors: Anchors<string>): readonly Doubt[] =>
  doubtsOf(fact, field, brokenDays(fact, typed, anchors))

/** Midnight in Asia/Shanghai of the day of a moment: what is written as a day alone is meant as that. */
export const startOfDay = (at: Date): Date => fromWireTime(`${toWireDay(at)} 00:00:00`) ?? at

/** Since when there can be payments of an examination: it was made, or its sign-up began, whichever was first. */
export const examBegan = (of: { readonly createdAt: Date; readonly signBegin: Date | null }): Date =>
  startOfDay(new Date(Math.min(of.createdAt.getTime(), (of.signBegin ?? of.createdAt).getTime())))
