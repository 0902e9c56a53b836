import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { answerProposal, confirmStatement, noteStatement } from '#contract/selection/selection.routes.ts'
import { disqualificationMachine } from '#contract/selection/selection.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam, listOfficers } from '#modules/exam/index.ts'
import { answerOwn, confirmHeard, daysToAnswer, type HearingKind, noteHeard } from '#modules/signup/index.ts'
import { listOwnDisqualifications, proposedKey } from '../data/disqualification.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { answeredOfficeNotice } from '../templates/notices.ts'
import { heardIn } from './heard.ts'
import { signupPage } from './standing.ts'

const because = 'proposals belong to the office; a person reads and answers those about the own sign-up'

/** What is proposed against the caller, or was decided (amendment A8). */
export const readOwnProposals = (kit: SelectionKit, ctx: Ctx) =>
  ctx.asSystem(because, async db => {
    const { userId } = sessionOf(ctx)
    const shown = []
    for (const one of await listOwnDisqualifications(db, userId)) {
      const exam = await findExam(db, one.examId)
      if (!exam) continue
      shown.push({
        ...{ id: one.id, examId: exam.id, examName: exam.examName, contactPhone: exam.contactPhone ?? '' },
        ...{ state: disqualificationMachine.wire[one.state], reason: one.reason, time: toWireTime(one.createdAt) },
        ...{
          answerUntil: toWireTime((await daysToAnswer(kit, db, 'selection_disqualification', one)).until),
          ...(await heardIn(kit, db, ctx, one.id)),
          statedTime: one.statementAt && toWireTime(one.statementAt),
        },
        ...{ decision: one.decision, decidedTime: one.decidedAt && toWireTime(one.decidedAt) },
      })
    }
    return shown
  })

export const disqualifyHearing: HearingKind = {
  table: 'selection_disqualification',
  label: { zh: '取消报名资格', en: 'disqualification' },
  trail: 'recheck.disqualify',
  link: '/signup/selection',
  paper: 'disqualifyPaper',
}

/** Keeps the answer and tells whoever decides. Refusals: those of `answerOwn`. */
export const answerTo = (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof answerProposal>) =>
  ctx.asSystem(because, async db => {
    const answered = await answerOwn(kit, db, ctx, disqualifyHearing, input)
    const exam = await findExam(db, answered.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    for (const officer of await listOfficers(db, exam.id, 'admin'))
      await kit.message.notify(db, {
        ...{ userId: officer, examId: exam.id, kind: 7, link: signupPage(answered.signupId) },
        ...{ ...answeredOfficeNotice(exam.examName), eventKey: `${proposedKey(answered.id)}:answered:${db.now.getTime()}` },
      })
    return { id: answered.id, statedTime: toWireTime(db.now) }
  })

export const noteAnswer = async (kit: SelectionKit, db: TenantDb, ctx: Ctx, input: InputOf<typeof noteStatement>) => {
  const { id, confirmed } = await noteHeard(kit, db, ctx, disqualifyHearing, input)
  return { id, confirmed }
}
export const confirmAnswer = async (kit: SelectionKit, db: TenantDb, ctx: Ctx, input: InputOf<typeof confirmStatement>) => {
  const answer = await confirmHeard(kit, db, ctx, disqualifyHearing, input)
  return isRefusal(answer) ? answer : { id: answer.id, confirmed: answer.confirmed }
}
