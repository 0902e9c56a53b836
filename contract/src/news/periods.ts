import { countWorkingDays, formatDay, parseInstant } from '../exam/window.ts'
import type { Label } from '../kernel/label.ts'
import { noticeType } from './words.ts'

/** What the tenant's parameters say about periods, in working days; the defaults are those of 人社部发〔2024〕57号. */
export interface PeriodPolicy {
  /** From the announcement to the end of sign-up. */
  readonly announceDays: number
  readonly signDays: number
  readonly publicityDays: number
  /** `yyyy-MM-dd`: days off, and days at weekends that are worked. */
  readonly holidays: ReadonlySet<string>
  readonly workdays: ReadonlySet<string>
}

export interface PeriodFacts {
  readonly noticeType: number
  readonly releaseTime: Date
  readonly endTime: Date | null
  readonly exam: { readonly examType: number; readonly signBegin: Date; readonly signEnd: Date } | null
}

export interface PeriodWarning {
  readonly field: 'releaseTime' | 'endTime' | 'examId'
  readonly text: Label
}

const dayMs = 24 * 3_600_000
/** The last of so many working days, beginning with the day of `from`; `yyyy-MM-dd`. */
export const lastWorkingDay = (from: Date, days: number, { holidays, workdays }: Pick<PeriodPolicy, 'holidays' | 'workdays'>): string => {
  const first = parseInstant(formatDay(from.getTime())) ?? from.getTime()
  let day = first
  // A calendar without working days must not hold anybody up for ever.
  for (let passed = 0; passed < 1_000 && countWorkingDays(first, day, holidays, workdays) < days; passed++) day += dayMs
  return formatDay(day)
}

const publicRecruitment = 1

/** What publishing only warns about: the periods of public recruitment (domain 3.1, 3.15, amendment A1). */
export const periodWarnings = (facts: PeriodFacts, policy: PeriodPolicy): readonly PeriodWarning[] => {
  const days = (from: Date, end: Date) => countWorkingDays(from.getTime(), end.getTime() - 1, policy.holidays, policy.workdays)
  const { exam, releaseTime, endTime } = facts
  const warnings: PeriodWarning[] = []
  if (facts.noticeType === noticeType.publicity) {
    if (endTime === null)
      warnings.push({
        field: 'endTime',
        text: {
          zh: `没有填写公示结束时间；公示一般不少于 ${policy.publicityDays} 个工作日`,
          en: `The publicity has no end; it usually lasts ${policy.publicityDays} working days`,
        },
      })
    else if (days(releaseTime, endTime) < policy.publicityDays)
      warnings.push({
        field: 'endTime',
        text: {
          zh: `公示仅 ${days(releaseTime, endTime)} 个工作日，一般不少于 ${policy.publicityDays} 个`,
          en: `The publicity lasts ${days(releaseTime, endTime)} working days; ${policy.publicityDays} are usual`,
        },
      })
  }
  if (facts.noticeType === noticeType.recruitment && exam === null)
    warnings.push({
      field: 'examId',
      text: { zh: '招聘公告没有关联考试，无法核对公告期', en: 'No examination is named, so the period cannot be checked' },
    })
  if (facts.noticeType === noticeType.recruitment && exam?.examType === publicRecruitment) {
    const announced = exam.signEnd <= releaseTime ? 0 : days(releaseTime, exam.signEnd)
    if (announced < policy.announceDays)
      warnings.push({
        field: 'releaseTime',
        text: {
          zh: `从公告发布到报名截止仅 ${announced} 个工作日，一般不少于 ${policy.announceDays} 个`,
          en: `From the announcement to the end of sign-up there are ${announced} working days; ${policy.announceDays} are usual`,
        },
      })
    const signing = days(exam.signBegin, exam.signEnd)
    if (signing < policy.signDays)
      warnings.push({
        field: 'examId',
        text: {
          zh: `报名时间仅 ${signing} 个工作日，一般不少于 ${policy.signDays} 个`,
          en: `Sign-up lasts ${signing} working days; ${policy.signDays} are usual`,
        },
      })
  }
  return warnings
}
