import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { adviceIn } from '#contract/signup/canned-advice.ts'
import type { examList, myExamList } from '#contract/signup/signup.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExams, listPapersOf, type PaperRow } from '#modules/exam/index.ts'
import { mayAppeal } from '../appeal.ts'
import { figuresOf, type OwnListed, type OwnState, ownStates, pageOwn, pageReleased } from '../data/exam-card.repo.ts'
import type { SignupContext } from '../deps.ts'
import { mayEditWaiting } from '../domain/next-action.ts'
import { offersWithdraw } from '../domain/withdraw.ts'
import { actionOf, phaseOf, presentCard } from '../exam-card.ts'
import { type OwnFacts, ownFacts, type Unsent } from '../own-facts.ts'
import { wireTime } from '../present.ts'

/** What can be done with one's sign-up, found for a page of them at once. */
interface Offers {
  readonly appeals: ReadonlySet<string>
  readonly facts: ReadonlyMap<string, OwnFacts>
}

const offersOf = async (
  deps: SignupContext,
  ctx: Ctx,
  db: TenantDb,
  rows: readonly OwnState[],
  exams: readonly ExamRow[],
): Promise<Offers> => {
  const facts = await ownFacts(deps, ctx, db, rows)
  const appeals = new Set<string>()
  for (const row of rows) {
    const exam = exams.find(one => one.id === row.examId)
    if (exam && (await mayAppeal(db, ctx.arrivedAt, exam, row))) appeals.add(row.signupId)
  }
  return { appeals, facts }
}

/** Changes that are not handed in, as the list tells them. */
const presentUnsent = (unsent: Unsent | undefined) =>
  unsent === undefined ? null : { count: unsent.fields.length, savedAt: toWireTime(unsent.savedAt) }

const withRefusal = (
  { signupId, state, examineRemark }: OwnListed,
  exam: ExamRow,
  appeals: ReadonlySet<string>,
  facts: OwnFacts | undefined,
): OwnFacts | undefined => {
  if (facts === undefined || state !== 'refused') return facts
  const reason = examineRemark === null ? null : { zh: adviceIn(examineRemark, 'zh'), en: adviceIn(examineRemark, 'en') }
  return { ...facts, refusal: { reason, appealUntil: appeals.has(signupId) ? (exam.appealEnd ?? exam.examineEnd) : null } }
}

const presentOwn = (ctx: Ctx, row: OwnListed, exam: ExamRow, papers: readonly PaperRow[], { appeals, facts }: Offers) => ({
  signupId: row.signupId,
  examId: row.examId,
  examName: exam.examName,
  examCode: exam.examCode,
  phase: phaseOf(exam, papers, ctx.arrivedAt),
  signNo: row.signNo,
  unitName: row.unitName,
  codeName: row.codeName,
  code: row.code,
  examine: signupMachine.wire[row.state],
  examineRemark: row.examineRemark === null ? null : adviceIn(row.examineRemark, ctx.language),
  payState: payStateWire[row.payState],
  reductionState: row.reductionState,
  signVersion: row.signVersion,
  submitTime: wireTime(row.submitTime),
  ticketReleased: row.ticketReleased,
  scoreReleased: row.scoreReleased,
  scoreInCheck: row.scoreInCheck,
  canWithdraw: offersWithdraw({
    now: ctx.arrivedAt,
    exam,
    state: row.state,
    payState: row.payState,
    isOpenAtReviewer: facts.get(row.signupId)?.isOpenAtReviewer ?? false,
  }),
  canEdit: mayEditWaiting({
    now: ctx.arrivedAt,
    exam,
    state: row.state,
    isOpenAtReviewer: facts.get(row.signupId)?.isOpenAtReviewer ?? false,
  }),
  unsent: presentUnsent(facts.get(row.signupId)?.unsent),
  canAppeal: appeals.has(row.signupId),
  nextAction: actionOf(ctx, exam, row, withRefusal(row, exam, appeals, facts.get(row.signupId))),
})

/** Released examinations to choose from. */
export const listExams = async (deps: SignupContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof examList>) => {
  const { current, size, offset } = sliceOf(input)
  const { ids, total } = await pageReleased(db, input, size, offset)
  const [exams, papers, figures, own] = await Promise.all([
    findExams(db, ids),
    listPapersOf(db, ids),
    figuresOf(db, ids),
    ctx.session?.userType === 2 ? ownStates(db, ctx.session.userId, ids) : [],
  ])
  const facts = await ownFacts(deps, ctx, db, own)
  const records = ids.flatMap(examId => {
    const exam = exams.find(one => one.id === examId)
    if (!exam) return []
    const mine = own.find(one => one.examId === examId)
    return [
      presentCard(
        ctx,
        exam,
        papers.filter(paper => paper.examId === examId),
        figures.find(one => one.examId === examId),
        mine,
        mine && facts.get(mine.signupId),
      ),
    ]
  })
  return toPage(records, total, current, size)
}

/** Examinations that the caller has signed up for. */
export const listOwnExams = async (deps: SignupContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof myExamList>) => {
  const { current, size, offset } = sliceOf(input)
  const { rows, total } = await pageOwn(db, sessionOf(ctx).userId, size, offset)
  const examIds = [...new Set(rows.map(row => row.examId))]
  const [exams, papers] = await Promise.all([findExams(db, examIds), listPapersOf(db, examIds)])
  const offers = await offersOf(deps, ctx, db, rows, exams)
  const records = rows.flatMap(row => {
    const exam = exams.find(one => one.id === row.examId)
    const ofExam = papers.filter(paper => paper.examId === row.examId)
    return exam ? [presentOwn(ctx, row, exam, ofExam, offers)] : []
  })
  return toPage(records, total, current, size)
}
