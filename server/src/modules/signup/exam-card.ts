import { examMachine } from '#contract/exam/exam.state.ts'
import { examPhase } from '#contract/exam/window.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { feeTextOf } from '#contract/pay/fee.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { regionLabelOf } from '#contract/signup/region.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type ExamRow, listChanges, listPapers, type PaperRow } from '#modules/exam/index.ts'
import type { ExamFigures, OwnState } from './data/exam-card.repo.ts'
import { nextActionOf } from './domain/next-action.ts'
import type { OwnFacts } from './own-facts.ts'
import { wireTime } from './present.ts'

/** Lines of the change record that the page of an examination shows. */
const shownChanges = 50

const ms = (at: Date | null): number | null => (at === null ? null : at.getTime())

/** Which part of its life an examination is in (domain 3.1 `phase`). */
export const phaseOf = (exam: ExamRow, papers: readonly PaperRow[], now: Date): string =>
  examPhase(
    {
      state: examMachine.wire[exam.state],
      windows: {
        signBegin: exam.signBegin?.getTime() ?? 0,
        signEnd: exam.signEnd?.getTime() ?? 0,
        modifyEnd: ms(exam.modifyEnd),
        examineBegin: ms(exam.examineBegin),
        examineEnd: exam.examineEnd?.getTime() ?? 0,
        payBegin: ms(exam.payBegin),
        payEnd: ms(exam.payEnd),
        adjustBegin: ms(exam.adjustBegin),
        adjustEnd: ms(exam.adjustEnd),
        ticketBegin: ms(exam.ticketBegin),
        ticketEnd: ms(exam.ticketEnd),
      },
      items: papers.map(paper => ({
        itemName: paper.itemName,
        itemType: paper.itemType as 1 | 2 | 3 | 4,
        startTime: paper.startTime.getTime(),
        endTime: paper.endTime.getTime(),
        reportTime: ms(paper.reportTime),
      })),
      writtenReleased: papers.some(paper => paper.itemType === 1 && paper.scoreState === 'released'),
      interviewReleased: papers.some(paper => paper.itemType === 2 && paper.scoreState === 'released'),
      hasReview: papers.some(paper => paper.itemType === 2),
      hasPublicity: false,
    },
    now.getTime(),
  )

export const actionOf = (ctx: Ctx, exam: ExamRow, own: OwnState | undefined, facts?: OwnFacts) => {
  const next = nextActionOf({
    now: ctx.arrivedAt,
    examId: exam.id,
    exam,
    state: own?.state,
    payState: own?.payState ?? 'none',
    payUntil: own?.payUntil ?? null,
    refundWaits: own?.refundWaits ?? 'none',
    extendUntil: own?.extendUntil ?? null,
    adviceCount: own?.adviceCount ?? 0,
    ticketReleased: own?.ticketReleased ?? false,
    scoreReleased: own?.scoreReleased ?? false,
    scoreInCheck: own?.scoreInCheck ?? false,
    unsentCount: facts?.unsent?.fields.length ?? 0,
    isOpenAtReviewer: facts?.isOpenAtReviewer ?? false,
    hasPromised: own?.hasPromised ?? true,
    reductionState: own?.reductionState ?? 0,
    isPostCancelled: own?.isPostCancelled ?? false,
    choiceUntil: facts?.choiceUntil ?? null,
    selection: facts?.selection,
    refusal: facts?.refusal,
  })
  const hints = [facts?.hint ?? (next.hint && ctx.say(next.hint)), next.unsent && ctx.say(next.unsent)].filter(Boolean)
  return {
    ...{ code: next.code, text: ctx.say(next.text), deadline: next.deadline, link: next.link },
    hint: hints.length === 0 ? null : hints.join(ctx.language === 'zh' ? '；' : '; '),
  }
}

export const presentCard = (
  ctx: Ctx,
  exam: ExamRow,
  papers: readonly PaperRow[],
  figures: ExamFigures | undefined,
  own: OwnState | undefined,
  facts?: OwnFacts,
) => ({
  id: exam.id,
  examName: exam.examName,
  examCode: exam.examCode,
  examType: exam.examType,
  organizer: exam.organizer,
  phase: phaseOf(exam, papers, ctx.arrivedAt),
  state: examMachine.wire[exam.state],
  signBegin: wireTime(exam.signBegin) ?? '',
  signEnd: wireTime(exam.signEnd) ?? '',
  payEnd: wireTime(exam.payEnd),
  feeText: ctx.say(feeTextOf(exam, figures)),
  planTotal: figures?.planTotal ?? 0,
  postCount: figures?.postCount ?? 0,
  contactPhone: exam.contactPhone,
  my: own
    ? {
        signupId: own.signupId,
        examine: signupMachine.wire[own.state],
        payState: payStateWire[own.payState],
        nextAction: actionOf(ctx, exam, own, facts),
      }
    : null,
})

export const presentExam = async (
  db: TenantDb,
  ctx: Ctx,
  exam: ExamRow,
  figures: ExamFigures | undefined,
  own: OwnState | undefined,
  facts?: OwnFacts,
) => {
  const papers = await listPapers(db, exam.id)
  const changes = await listChanges(db, exam.id, shownChanges)
  return {
    ...presentCard(ctx, exam, papers, figures, own, facts),
    description: exam.description,
    promise: exam.promise,
    undertaker: exam.undertaker,
    year: exam.year,
    allowSecond: exam.allowSecond,
    allowAdjust: exam.allowAdjust,
    allowChangePost: exam.allowChangePost,
    regionLabel: ctx.say(regionLabelOf(exam.regionLabel)),
    needSignature: exam.needSignature,
    feeMode: exam.feeMode,
    feeFen: exam.feeFen,
    modifyEnd: wireTime(exam.modifyEnd),
    examineEnd: wireTime(exam.examineEnd),
    payBegin: wireTime(exam.payBegin),
    ticketBegin: wireTime(exam.ticketBegin),
    ticketEnd: wireTime(exam.ticketEnd),
    scoreBegin: wireTime(exam.scoreBegin),
    seedCommit: figures?.seedCommit ?? null,
    examItems: papers.map(paper => ({
      id: paper.id,
      itemName: paper.itemName,
      itemCode: paper.itemCode,
      itemType: paper.itemType,
      startTime: toWireTime(paper.startTime),
      endTime: toWireTime(paper.endTime),
    })),
    changes: changes.map(change => ({ time: toWireTime(change.createdAt), text: ctx.say(change) })),
  }
}
