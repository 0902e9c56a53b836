import { toWireDay } from '#contract/kernel/when.ts'
import type { ConditionContext, GraduatePolicy } from '#contract/signup/conditions.ts'
import { regionName } from '#modules/reference/index.ts'

interface JudgedExam extends GraduatePolicy {
  readonly year: number
  readonly signBegin: Date | null
}

/** What conditions of posts are judged by in an examination: the same for the public pages, the form, groups and moves. */
export const judgingOf = (exam: JudgedExam, now: Date): Pick<ConditionContext, 'examYear' | 'onDay' | 'policy' | 'placeName'> => ({
  examYear: exam.year,
  onDay: toWireDay(exam.signBegin ?? now),
  policy: exam,
  placeName: code => ({ zh: regionName(code), en: regionName(code) }),
})
