import type { PayNotice } from '../pay/schedule.ts'

/** What is left of the notices of dues when the sign-up of an examination was withdrawn: nobody has to pay for it any more. */
export const withoutExam = (notices: readonly PayNotice[], examId: string): readonly PayNotice[] =>
  notices.filter(notice => notice.key === 'more' || !('due' in notice) || notice.due.examId !== examId)
