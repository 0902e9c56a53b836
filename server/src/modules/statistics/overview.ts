import { examMachine } from '#contract/exam/exam.state.ts'
import { phaseLabels } from '#contract/exam/window.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { auditWords } from '#contract/log/audit-words.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import {
  type ExamOverview,
  examHistory,
  examOverview,
  type StepKey,
  stepKeys,
  type WarningKey,
  warningKeys,
} from '#contract/statistics/overview.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { rowScopeOf, valuesInScope } from '#kernel/http/row-scope.ts'
import {
  type CheckOutside,
  countsByExam,
  type ExamRow,
  examForReading,
  listPapers,
  type PaperRow,
  phaseOf,
  problemsOf,
} from '#modules/exam/index.ts'
import { unitScopeOf } from '#modules/result/index.ts'
import { unitsOf } from '#modules/signup/index.ts'
import { type ChangeRow, countChangesOf, countSteps, listChangesOf, moneyOf } from './data/overview.repo.ts'
import type { Units } from './data/statistics.repo.ts'
import { nextAction } from './domain/next-action.ts'

/** Whoever holds one of these codes has a part in the step; to others its number is none of their business. */
const signupCodes = ['signup_view', 'examine_view'] as const
const moneyCodes = ['exampay_view', 'dashboard_pay'] as const
const codes: Readonly<Record<StepKey, readonly string[]>> = {
  waiting: signupCodes,
  second: signupCodes,
  returned: signupCodes,
  refused: signupCodes,
  passed: signupCodes,
  disqualified: signupCodes,
  withdrawn: signupCodes,
  due: moneyCodes,
  refunds: moneyCodes,
  postings: moneyCodes,
  toSeat: ['ticket_view'],
  toReleaseTickets: ['ticket_view'],
  ticketsOut: ['ticket_view'],
  toScore: ['result_view'],
  toReleaseResults: ['result_view'],
  corrections: ['result_view'],
  resultsOut: ['result_view'],
  rereview: ['recheck_view'],
}
const warningCodes: Readonly<Record<WarningKey, readonly string[]>> = {
  proposals: ['recheck_uphold'],
  approvals: ['signup_approve'],
  reductions: ['reduction_edit'],
  calls: ['recheck_decide'],
  lateReviews: signupCodes,
  overdue: moneyCodes,
  payAlarms: moneyCodes,
}
const changesShown = 8

const at = (instant: Date | null): string | null => instant && toWireTime(instant)

/** Papers that are sat at the same time are one stretch. */
const timelineOf = (exam: ExamRow, papers: readonly PaperRow[]): ExamOverview['timeline'] => {
  const stretch = (key: ExamOverview['timeline'][number]['key'], begin: Date | null, end: Date | null, paper = '') =>
    begin === null && end === null ? [] : [{ key, paper, begin: at(begin), end: at(end) }]
  const rows = [
    ...stretch('sign', exam.signBegin, exam.signEnd),
    ...stretch('examine', exam.examineBegin ?? exam.signBegin, exam.examineEnd),
    ...(exam.feeMode === 0 ? [] : stretch('pay', exam.payBegin, exam.payEnd)),
    ...(exam.allowAdjust ? stretch('adjust', exam.adjustBegin, exam.adjustEnd) : []),
    ...stretch('ticket', exam.ticketBegin, exam.ticketEnd),
    ...[...Map.groupBy(papers, paper => `${paper.startTime.getTime()} ${paper.endTime.getTime()}`).values()].flatMap(sitting => {
      const [first] = sitting
      return first === undefined ? [] : stretch('paper', first.startTime, first.endTime, sitting.map(paper => paper.itemName).join('、'))
    }),
    ...stretch('msTicket', exam.msTicketBegin, exam.msTicketEnd),
    ...stretch('score', exam.scoreBegin, null),
  ]
  return rows.sort((a, b) => (a.begin ?? a.end ?? '').localeCompare(b.begin ?? b.end ?? ''))
}

const changeOf =
  (ctx: Ctx) =>
  ({ id, createdAt, who, action, about }: ChangeRow) => {
    const words = auditWords(action)
    return { id, time: toWireTime(createdAt), who, what: words === null ? action : ctx.say(words), about }
  }

export interface OverviewDeps {
  /** What the release check asks about beside the examination itself. */
  readonly releaseCheck: CheckOutside
}

/** Ten statements, however large the examination is. */
const overviewOf = async ({ releaseCheck }: OverviewDeps, ctx: Ctx, db: TenantDb, examId: string): Promise<ExamOverview> => {
  const may = (code: string): boolean => ctx.session?.permissions.has(code) ?? false
  const exam = await examForReading(ctx, db, examId)
  const papers = await listPapers(db, examId)
  const nowMs = ctx.arrivedAt.getTime()
  const isDraft = exam.state === 'draft'
  const check = isDraft && may('examination_edit') ? await problemsOf(db, exam, releaseCheck) : { problems: [], warnings: [] }
  const { session } = ctx
  const within = (units: Units): Units => (session === undefined ? [] : valuesInScope(session, 'signup', 'unit', units))
  const units = within((session && unitsOf(session)) ?? null)
  const scope = { examId, units, ownUnits: within(session ? unitScopeOf(session) : []), dues: rowScopeOf(ctx.session, examPay) }
  const rows = new Map((await countSteps(db, scope)).map(row => [row.key, row]))
  const countOf = (key: string): number => rows.get(key)?.count ?? 0
  const seesMoney = moneyCodes.some(may)
  const money = seesMoney ? await moneyOf(db, scope) : null
  const [stages] = await countsByExam(db, [examId])
  const phase = phaseOf(exam, papers, { hasReview: stages?.hasReview ?? false, hasPublicity: stages?.hasPublicity ?? false }, nowMs)
  const isSat = papers.length > 0 && papers.every(paper => paper.endTime.getTime() <= nowMs)
  const counts = Object.fromEntries(stepKeys.map(key => [key, countOf(key)])) as Record<StepKey, number>
  const said = ({ path, message }: (typeof check.problems)[number]) => ({ path, msg: ctx.say(message) })
  return {
    examId,
    examName: exam.examName,
    examCode: exam.examCode,
    state: examMachine.wire[exam.state],
    phase,
    phaseLabel: ctx.say(isDraft ? examMachine.label.draft : phaseLabels[phase]),
    serverTime: toWireTime(ctx.arrivedAt),
    timeline: timelineOf(exam, papers),
    problems: check.problems.map(said),
    notices: check.warnings.map(said),
    steps: stepKeys
      .filter(key => codes[key].some(may))
      .map(key => ({ key, count: counts[key], oldestTime: at(rows.get(key)?.oldest ?? null) })),
    money: money && { dueFen: Number(money.dueFen), paidFen: Number(money.paidFen), refundedFen: Number(money.refundedFen) },
    warnings: warningKeys.filter(key => countOf(key) > 0 && warningCodes[key].some(may)).map(key => ({ key, count: countOf(key) })),
    next: nextAction({
      isDraft,
      isReleased: exam.state === 'released',
      problems: check.problems.length,
      counts: { ...counts, proposals: countOf('proposals'), approvals: countOf('approvals'), reductions: countOf('reductions') },
      isSignupOver: exam.signEnd !== null && exam.signEnd.getTime() <= nowMs,
      isSat,
      // Results may be out while people are still re-reviewed, examined or to be hired.
      isOver: phase === 'finished' && isSat && papers.every(paper => paper.scoreState === 'released'),
      may,
    }),
    changes: (await listChangesOf(db, examId, changesShown)).map(changeOf(ctx)),
  }
}

export const overviewHandlers = (deps: OverviewDeps): Handler[] => [
  handle(examOverview, ({ ctx, db, input }) => overviewOf(deps, ctx, db, input.examId)),
  handle(examHistory, async ({ ctx, db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const exam = await examForReading(ctx, db, input.examId)
    const total = await countChangesOf(db, exam.id)
    return toPage((await listChangesOf(db, exam.id, size, offset)).map(changeOf(ctx)), total, current, size)
  }),
]
