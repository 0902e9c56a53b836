import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import type {
  answerRecheck,
  askRecheck,
  myRechecks,
  recheckList,
  recheckWindow,
  saveRecheckWindow,
} from '#contract/result/recheck.routes.ts'
import { recheckMachine, stateOfRecheck } from '#contract/result/recheck.state.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findExamOfResults } from '../data/exam.repo.ts'
import {
  addRecheck,
  countWaiting,
  findWindow,
  listOwnPapers,
  lockRecheck,
  pageRechecks,
  type RecheckWindow,
  saveWindow,
} from '../data/recheck.repo.ts'
import { listCorrections } from '../data/result.repo.ts'
import { findSignupForScore } from '../data/score.repo.ts'
import type { ResultParts } from '../deps.ts'
import { recheckAnsweredNotice } from '../templates/notices.ts'

const isOpenAt = (window: RecheckWindow | undefined, at: Date): boolean => window !== undefined && window.begins <= at && at < window.ends
const timeOf = (at: Date | null | undefined): string | null => (at ? toWireTime(at) : null)

/** What the candidate may ask about, has asked and was answered. */
export const readOwn = async (db: TenantDb, ctx: Ctx, examId: string, userId: string): Promise<OutputOf<typeof myRechecks> | Refusal> => {
  const signup = await findSignupForScore(db, { examId, userId })
  if (!signup) return refuse('kernel/not-found', {})
  const window = await findWindow(db, examId)
  const isOpen = isOpenAt(window, ctx.arrivedAt)
  return {
    begin: timeOf(window?.begins),
    end: timeOf(window?.ends),
    isOpen,
    papers: (await listOwnPapers(db, signup.id)).map(paper => ({
      itemId: paper.itemId,
      itemName: paper.itemName,
      canAsk: isOpen && paper.state === null,
      asked:
        paper.state === null || paper.askedAt === null
          ? null
          : {
              state: recheckMachine.wire[paper.state],
              reason: paper.reason ?? '',
              askedTime: toWireTime(paper.askedAt),
              answer: paper.answer,
              answerTime: timeOf(paper.answeredAt),
            },
    })),
  }
}

/** Asks once about a released score, within the window: what arrives at its end is late. */
export const ask = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof askRecheck>, userId: string): Promise<{ id: string } | Refusal> => {
  const signup = await findSignupForScore(db, { examId: input.examId, userId })
  const paper = signup && (await listOwnPapers(db, signup.id)).find(one => one.itemId === input.itemId)
  if (!signup || !paper) return refuse('kernel/not-found', {})
  if (paper.state !== null) return refuseResult('result/recheck-asked', { paper: paper.itemName })
  const window = await findWindow(db, input.examId)
  if (!window) return refuseResult('result/recheck-none', {})
  if (!isOpenAt(window, ctx.arrivedAt))
    return refuseResult('result/recheck-closed', { begin: toWireTime(window.begins), end: toWireTime(window.ends) })
  const { examId, itemId, reason } = input
  const added = await addRecheck(db, { examId, itemId, signupId: signup.id, resultId: paper.resultId, score: paper.score, reason })
  if (!added) return refuseResult('result/recheck-asked', { paper: paper.itemName })
  await audit(db, ctx, { action: 'score-recheck.asked', entity: 'result', entityId: paper.resultId, after: { reason } })
  return added
}

export const readWindow = async (db: TenantDb, examId: string): Promise<OutputOf<typeof recheckWindow> | Refusal> => {
  if (!(await findExamOfResults(db, examId))) return refuse('kernel/not-found', {})
  const window = await findWindow(db, examId)
  return {
    begin: timeOf(window?.begins),
    end: timeOf(window?.ends),
    version: window?.version ?? 0,
    waiting: await countWaiting(db, examId),
  }
}

export const setWindow = async (
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof saveRecheckWindow>,
): Promise<OutputOf<typeof saveRecheckWindow> | Refusal> => {
  if (!(await findExamOfResults(db, input.examId))) return refuse('kernel/not-found', {})
  const [begins, ends] = [fromWireTime(input.begin), fromWireTime(input.end)]
  if (!begins || !ends || ends <= begins)
    return refuseField('end', { zh: '截止时间须晚于开始时间', en: 'The end must be later than the begin' })
  const before = await findWindow(db, input.examId)
  const saved = await saveWindow(db, { examId: input.examId, begins, ends, version: input.version })
  if (!saved) return refuse('kernel/changed-meanwhile', {})
  await audit(db, ctx, {
    action: 'score-recheck.window-set',
    entity: 'examination',
    entityId: input.examId,
    before: before && { begin: toWireTime(before.begins), end: toWireTime(before.ends) },
    after: { begin: input.begin, end: input.end },
  })
  return { begin: input.begin, end: input.end, version: saved.version }
}

export const listRechecks = async (db: TenantDb, input: InputOf<typeof recheckList>) => {
  const { current, size, offset, state, ...of } = sliceOf(input)
  const { rows, total } = await pageRechecks(db, { ...of, state: state === undefined ? undefined : stateOfRecheck(state) }, size, offset)
  return toPage(
    rows.map(({ state: at, askedAt, answeredAt, examId: _, userId: __, ...row }) => ({
      ...row,
      state: recheckMachine.wire[at],
      askedTime: toWireTime(askedAt),
      answerTime: timeOf(answeredAt),
    })),
    total,
    current,
    size,
  )
}

/** Answers a request. That a score was corrected is only said of one that was, and that it stands of one that was not since it was asked about. */
export const answer = async (
  parts: ResultParts,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof answerRecheck>,
): Promise<OutputOf<typeof answerRecheck> | Refusal> => {
  const found = await lockRecheck(db, input.id)
  if (!found) return refuse('kernel/not-found', {})
  // A correction that is being confirmed at this moment counts or does not before the answer is given.
  await lock(db, `result|${found.examId}`)
  if (input.version !== undefined && input.version !== found.version) return refuse('kernel/changed-meanwhile', {})
  const event = input.outcome === 2 ? 'change' : 'keep'
  const to = step(recheckMachine, found.state, event)
  if (to === undefined) return refuseResult('result/recheck-answered', {})
  const since = (await listCorrections(db, found.resultId)).filter(one => one.proposedAt >= found.askedAt)
  if (since.some(one => one.state === 'waiting')) return refuseResult('result/correction-waiting', {})
  const isCorrected = since.some(one => one.state === 'applied')
  if (event === 'change' && !isCorrected) return refuseResult('result/recheck-uncorrected', {})
  if (event === 'keep' && isCorrected) return refuseResult('result/recheck-corrected', {})
  const set = { answer: input.answer, answered_by: db.actor.userId, answered_at: db.now }
  if (!(await transition(db, 'score_recheck', found.id, { from: found.state, to }, set))) return refuseResult('result/recheck-answered', {})
  await audit(db, ctx, {
    action: 'score-recheck.answered',
    entity: 'result',
    entityId: found.resultId,
    after: { state: to, answer: input.answer },
  })
  const exam = await findExamOfResults(db, found.examId)
  await parts.message.notify(db, {
    ...{ userId: found.userId, examId: found.examId, kind: 4, ...recheckAnsweredNotice(exam?.examName ?? '', found.itemName) },
    eventKey: `score-recheck|${found.id}`,
  })
  return { id: found.id, state: recheckMachine.wire[to] }
}
