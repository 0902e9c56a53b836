import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toEndMinute } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { noteContact } from '#contract/selection/selection.routes.ts'
import { callMachine } from '#contract/selection/selection.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { callKey, findCall, insertContact, moveDeadline } from '../data/call.repo.ts'
import { lockPerson } from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { extendedNotice, link } from '../templates/notices.ts'
import { inHours, ruleOf } from './policy.ts'
import { presentCall } from './proof.ts'
import { mayReach } from './scope.ts'

/**
 * Notes a telephone call. After the deadline it opens a new one: whoever was reached late has as long to answer as everybody else, and silence counts
 * only after that.
 */
export const noteCall = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof noteContact>) => {
  const session = sessionOf(ctx)
  const seen = await findCall(db, input.callId)
  const person = seen && (await lockPerson(db, seen.signupId))
  const call = seen && (await findCall(db, input.callId))
  if (!call || !person || !mayReach(session, person)) return refuse('kernel/not-found', {})
  if (call.state !== 'waiting') return refuseSelection('selection/call-answered', { state: ctx.say(callMachine.label[call.state]) })
  const exam = await findExam(db, call.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const rule = await ruleOf(db, exam.id)
  const note = input.note?.trim() || null
  await insertContact(db, call, { outcome: input.outcome, note, byName: session.realName })
  const extended = call.deadline <= ctx.arrivedAt && input.outcome !== 4 ? inHours(ctx.arrivedAt, rule.confirmHours) : undefined
  if (extended) {
    await moveDeadline(db, call.id, extended)
    await kit.message.notify(db, {
      ...{ userId: call.userId, examId: exam.id, kind: 6, link, eventKey: `${callKey(call.id)}:${extended.getTime()}` },
      ...extendedNotice(exam.examName, toEndMinute(extended)),
    })
  }
  await insertStep(db, {
    ...{
      examId: exam.id,
      code: person.code,
      signupId: person.signupId,
      userId: person.userId,
      stage: call.stage,
      kind: 'contacted',
      byName: session.realName,
    },
    facts: {
      stage: call.stage,
      outcome: input.outcome,
      ...(note ? { reason: note } : {}),
      ...(extended ? { deadline: toEndMinute(extended) } : {}),
    },
  })
  await audit(db, ctx, {
    action: 'selection.contacted',
    entity: 'signup',
    entityId: person.signupId,
    after: { callId: call.id, outcome: input.outcome, ...(extended ? { deadline: toEndMinute(extended) } : {}) },
  })
  return presentCall(db, (await findCall(db, call.id)) ?? call, rule.contacts)
}
