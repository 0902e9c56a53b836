import { type Label, label } from './label.ts'
import { fromWireTime, toWireDay } from './when.ts'

/**
 * Facts that have a date, and between which moments they can lie. One table for forms, workbooks and calls: what is refused anywhere is refused everywhere.
 * Beside a bound stands what it is called; `years` moves it.
 */
interface Bound {
  readonly of: Anchor
  readonly years?: number
  readonly says: Label
}
/** What a date is held against: `now`, and what the row tells of itself. */
export type Anchor = 'now' | 'signBegin' | 'born' | 'begin' | 'windowEnd'
interface DateRule {
  readonly notBefore?: Bound
  readonly notAfter?: Bound
}

export const dateFacts = {
  /** When a payment came that is entered by hand. */
  paidTime: {
    notBefore: { of: 'signBegin', says: label('缴费时间不能早于报名开始', 'Paid before the sign-up began') },
    notAfter: { of: 'now', says: label('缴费时间不能晚于现在', 'The time of payment lies in the future') },
  },
  leaveBegin: {
    notBefore: { of: 'now', years: -1, says: label('请假开始时间不能早于一年前', 'A leave cannot begin more than a year ago') },
    notAfter: { of: 'now', years: 1, says: label('请假开始时间不能晚于一年后', 'A leave cannot begin more than a year ahead') },
  },
  choiceEnd: { notBefore: { of: 'begin', says: label('选择截止须晚于选择开始', 'It must end after it begins') } },
  ticketRelease: {
    notAfter: { of: 'windowEnd', says: label('准考证打印时间已结束，请先延长打印时间', 'Printing has ended; move its end first') },
  },
  graduateDate: { notBefore: { of: 'born', years: 15, says: label('毕业时间不能早于年满 15 周岁', 'Graduated before the age of 15') } },
  firstWorkDate: {
    notBefore: { of: 'born', says: label('参加工作时间早于出生日期', 'First work before the birth date') },
    notAfter: { of: 'now', says: label('参加工作时间不能晚于今天', 'First work lies in the future') },
  },
  titleDate: {
    notBefore: { of: 'born', years: 16, says: label('取得职称时间不能早于年满 16 周岁', 'The title was given before the age of 16') },
    notAfter: { of: 'now', says: label('取得职称时间不能晚于今天', 'The title lies in the future') },
  },
} as const satisfies Record<string, DateRule>
export type DateFact = keyof typeof dateFacts

const moved = (date: Date, years = 0): number => {
  const at = new Date(date)
  at.setUTCFullYear(at.getUTCFullYear() + years)
  // The 29th of February of a year that has none is its 28th.
  if (at.getUTCMonth() !== date.getUTCMonth()) at.setUTCDate(0)
  return at.getTime()
}

/**
 * What is wrong with the date of a fact; undefined where it can be. A bound whose anchor is not known does not bind.
 * @param anchors - moments, by the names of the table
 */
export const dateProblem = (fact: DateFact, at: Date, anchors: Readonly<Partial<Record<Anchor, Date | null>>>): Label | undefined => {
  const { notBefore, notAfter }: DateRule = dateFacts[fact]
  const from = notBefore && anchors[notBefore.of]
  if (notBefore && from && at.getTime() < moved(from, notBefore.years)) return notBefore.says
  const until = notAfter && anchors[notAfter.of]
  return notAfter && until && at.getTime() > moved(until, notAfter.years) ? notAfter.says : undefined
}

/** The same of a day or month as forms have it, `yyyy-MM-dd` or `yyyy-MM`: a month is before a day only when all of it is. */
export const dayProblem = (fact: DateFact, typed: string, anchors: Readonly<Partial<Record<Anchor, string>>>): Label | undefined => {
  const dateOf = (text: string | undefined, end: boolean): Date | undefined => {
    if (text === undefined || !/^\d{4}-\d{2}(-\d{2})?$/.test(text)) return undefined
    const at = new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`)
    if (text.length === 7 && end) at.setUTCMonth(at.getUTCMonth() + 1, 0)
    return Number.isNaN(at.getTime()) ? undefined : at
  }
  const rule: DateRule = dateFacts[fact]
  const check = (part: DateRule, end: boolean): Label | undefined => {
    const at = dateOf(typed, end)
    const bound = part.notBefore ?? part.notAfter
    const anchor = bound && dateOf(anchors[bound.of], !end)
    if (!at || !bound || !anchor) return undefined
    return (part.notBefore ? at.getTime() < moved(anchor, bound.years) : at.getTime() > moved(anchor, bound.years)) ? bound.says : undefined
  }
  return (rule.notBefore && check({ notBefore: rule.notBefore }, true)) ?? (rule.notAfter && check({ notAfter: rule.notAfter }, false))
}

/** Midnight in Asia/Shanghai of the day of a moment: what is written as a day alone is meant as that. */
export const startOfDay = (at: Date): Date => fromWireTime(`${toWireDay(at)} 00:00:00`) ?? at
