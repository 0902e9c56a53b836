import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { answerProposal } from '#contract/selection/selection.routes.ts'
import { disqualificationMachine } from '#contract/selection/selection.state.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam, listOfficers } from '#modules/exam/index.ts'
import { findDisqualification, listOwnDisqualifications, proposedKey, storeStatement } from '../data/disqualification.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { answeredOfficeNotice } from '../templates/notices.ts'
import { signupPage } from './standing.ts'

const because = 'proposals belong to the office; a person reads and answers those about the own sign-up'

/** What is proposed against the caller, or was decided (amendment A8). */
export const readOwnProposals = (ctx: Ctx) =>
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
          answerUntil: toWireTime(one.answerUntil),
          statement: one.statement,
          statedTime: one.statementAt && toWireTime(one.statementAt),
        },
        ...{ decision: one.decision, decidedTime: one.decidedAt && toWireTime(one.decidedAt) },
      })
    }
    return shown
  })

/** Keeps the answer and tells whoever decides. Refusals: kernel/not-found, selection/disqualify-decided. */
export const answerTo = (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof answerProposal>) =>
  ctx.asSystem(because, async db => {
    const { userId } = sessionOf(ctx)
    const isOwn = (await listOwnDisqualifications(db, userId)).some(one => one.id === input.id)
    if (!isOwn) throw new Refused(refuse('kernel/not-found', {}))
    const statement = input.statement.trim()
    if (!(await storeStatement(db, { id: input.id, userId, statement })))
      throw new Refused(refuseSelection('selection/disqualify-decided', {}))
    const proposal = await findDisqualification(db, input.id)
    const exam = proposal && (await findExam(db, proposal.examId))
    if (!proposal || !exam) throw new Refused(refuse('kernel/not-found', {}))
    await audit(db, ctx, {
      action: 'recheck.disqualify-answered',
      entity: 'signup',
      entityId: proposal.signupId,
      after: { disqualificationId: proposal.id },
    })
    for (const officer of await listOfficers(db, exam.id, 'admin'))
      await kit.message.notify(db, {
        ...{ userId: officer, examId: exam.id, kind: 7, link: signupPage(proposal.signupId) },
        ...{ ...answeredOfficeNotice(exam.examName), eventKey: `${proposedKey(proposal.id)}:answered:${db.now.getTime()}` },
      })
    return { id: proposal.id, statedTime: toWireTime(db.now) }
  })
