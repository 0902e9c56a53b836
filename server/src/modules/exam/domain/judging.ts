import { toWireDay } from '#contract/kernel/when.ts'
import type { ConditionContext } from '#contract/signup/conditions.ts'
import type { ExamRow } from '../data/exam.repo.ts'

/** What conditions of posts are judged by in an examination: the same for the public pages, the form, groups and moves. */
export const judgingOf = (exam: ExamRow, now: Date): Pick<ConditionContext, 'examYear' | 'onDay' | 'policy'> => ({
  examYear: exam.year,
  onDay: toWireDay(exam.signBegin ?? now),
  policy: exam,
})
