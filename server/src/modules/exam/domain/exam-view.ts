import { type ExamState, examMachine, type PaperScoreState } from '#contract/exam/exam.state.ts'
import { type ExamItemTimes, type ExamPhase, type ExamWindows, examPhase } from '#contract/exam/window.ts'

/** When what of an examination is open; null where nothing is set. */
export interface WindowDates {
  readonly signBegin: Date | null
  readonly signEnd: Date | null
  readonly modifyEnd: Date | null
  readonly examineBegin: Date | null
  readonly examineEnd: Date | null
  readonly appealEnd: Date | null
  readonly payBegin: Date | null
  readonly payEnd: Date | null
  readonly adjustBegin: Date | null
  readonly adjustEnd: Date | null
  readonly ticketBegin: Date | null
  readonly ticketEnd: Date | null
  readonly msTicketBegin: Date | null
  readonly msTicketEnd: Date | null
  readonly scoreBegin: Date | null
}
export interface PaperTimes {
  readonly itemName: string
  readonly itemType: 1 | 2 | 3 | 4
  readonly startTime: Date
  readonly endTime: Date
  readonly reportTime: Date | null
  readonly fullScore: string
  readonly passScore: string | null
  readonly scoreState: PaperScoreState
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null

/** The windows of an examination in milliseconds. */
export const windowsOf = (exam: WindowDates): { readonly [K in keyof ExamWindows]-?: number | null } => ({
  signBegin: ms(exam.signBegin),
  signEnd: ms(exam.signEnd),
  modifyEnd: ms(exam.modifyEnd),
  examineBegin: ms(exam.examineBegin),
  examineEnd: ms(exam.examineEnd),
  appealEnd: ms(exam.appealEnd),
  payBegin: ms(exam.payBegin),
  payEnd: ms(exam.payEnd),
  adjustBegin: ms(exam.adjustBegin),
  adjustEnd: ms(exam.adjustEnd),
  ticketBegin: ms(exam.ticketBegin),
  ticketEnd: ms(exam.ticketEnd),
  msTicketBegin: ms(exam.msTicketBegin),
  msTicketEnd: ms(exam.msTicketEnd),
  scoreBegin: ms(exam.scoreBegin),
})

export const timesOf = (papers: readonly PaperTimes[]): ExamItemTimes[] =>
  papers.map(paper => ({
    itemName: paper.itemName,
    itemType: paper.itemType,
    startTime: paper.startTime.getTime(),
    endTime: paper.endTime.getTime(),
    reportTime: ms(paper.reportTime),
    fullScore: paper.fullScore,
    passScore: paper.passScore,
  }))

/** The phase an examination is in; one without windows has not begun. */
export const phaseOf = (
  exam: WindowDates & { readonly state: ExamState },
  papers: readonly PaperTimes[],
  stages: { readonly hasReview: boolean; readonly hasPublicity: boolean },
  nowMs: number,
): ExamPhase => {
  const windows = windowsOf(exam)
  const { signBegin, signEnd, examineEnd } = windows
  const state = examMachine.wire[exam.state]
  if (state === 0 || signBegin === null || signEnd === null || examineEnd === null)
    return state < 2 ? 'notStarted' : state === 2 ? 'closed' : 'finished'
  const isOut = (written: boolean) => {
    const list = papers.filter(paper => (paper.itemType === 1) === written)
    return list.length > 0 && list.every(paper => paper.scoreState === 'released')
  }
  return examPhase(
    {
      state,
      windows: { ...windows, signBegin, signEnd, examineEnd },
      items: timesOf(papers),
      writtenReleased: isOut(true),
      interviewReleased: isOut(false),
      ...stages,
    },
    nowMs,
  )
}
