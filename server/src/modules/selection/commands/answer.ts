import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toEndMinute, toWireDay } from '#contract/kernel/when.ts'
import { lastWorkingDay } from '#contract/news/periods.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { answerCall, giveUp } from '#contract/selection/selection.routes.ts'
import { callMachine, recheckMachine, stepMachine } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam } from '#modules/exam/index.ts'
import { readPolicy } from '#modules/news/index.ts'
import { findCall, moveCall, readReceipt } from '../data/call.repo.ts'
import { findPerson, lockPerson, moveStep, type PersonRow } from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { link, recheckAskedNotice } from '../templates/notices.ts'
import { lockSelection } from './fill.ts'
import { leaveAnywhere, mayLeave } from './leave.ts'
import { ruleOf } from './policy.ts'

/** Giving up cannot be undone, so it is typed. */
const words: readonly string[] = ['放弃', 'give up']
const isWord = (typed: string | undefined): boolean => words.includes(typed?.trim().toLowerCase() ?? '')
const because = 'places are filled for others too, whose rows a candidate may not touch'

const ownPerson = async (db: TenantDb, signupId: string, userId: string): Promise<PersonRow | undefined> => {
  const person = await lockPerson(db, signupId)
  return person?.userId === userId ? person : undefined
}

/**
 * A candidate answers a call. The same answer twice is one; the deadline is judged by when the answer arrived. Where the deadline passed and nothing
 * proved that the person was told, the place is still theirs and a late answer counts.
 */
export const answerOne = (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof answerCall>) =>
  ctx.asSystem(because, async db => {
    const { userId } = sessionOf(ctx)
    const seen = await findCall(db, input.callId)
    if (!seen || seen.userId !== userId) return refuse('kernel/not-found', {})
    await lockSelection(db, seen.examId)
    const person = await ownPerson(db, seen.signupId, userId)
    const call = await findCall(db, input.callId)
    const exam = await findExam(db, seen.examId)
    if (!person || !call || !exam) return refuse('kernel/not-found', {})
    const wanted = input.answer === 1 ? 'confirmed' : 'declined'
    if (call.state === wanted) return { state: callMachine.wire[wanted] }
    if (call.state !== 'waiting') return refuseSelection('selection/call-answered', { state: ctx.say(callMachine.label[call.state]) })
    if (ctx.arrivedAt >= call.deadline && !call.unprovenTold)
      return refuseSelection('selection/call-closed', { deadline: toEndMinute(call.deadline) })
    if (input.answer === 2 && !isWord(input.confirm)) return wordMissing(ctx)
    if (!(await moveCall(db, call.id, 'waiting', wanted))) return refuse('kernel/changed-meanwhile', {})
    // What was answered here need not be confirmed among the messages once more.
    const { noticeId } = await readReceipt(db, call)
    if (noticeId !== null) await kit.message.confirm(db, noticeId)
    const by = { ctx, name: person.name }
    if (input.answer === 2) await leaveAnywhere(kit, db, exam, person, { kind: 'declined', remark: null, by })
    else {
      await insertStep(db, {
        ...{
          examId: exam.id,
          code: person.code,
          signupId: person.signupId,
          userId,
          stage: call.stage,
          kind: 'confirmed',
          byName: person.name,
        },
        facts: { stage: call.stage },
      })
      await audit(db, ctx, {
        action: 'selection.answered',
        entity: 'signup',
        entityId: person.signupId,
        after: { callId: call.id, state: callMachine.wire[wanted] },
      })
    }
    return { state: callMachine.wire[wanted] }
  })

const wordMissing = (ctx: Ctx) => {
  const refusal = refuseSelection('selection/confirm-word', {})
  return { ...refusal, data: { fields: [{ field: 'confirm', msg: ctx.say(refusal.text) }] } }
}

/** A candidate gives up a place that nobody asked about. */
export const giveUpPlace = (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof giveUp>) =>
  ctx.asSystem(because, async db => {
    const { userId } = sessionOf(ctx)
    if (!isWord(input.confirm)) return wordMissing(ctx)
    const seen = await findPerson(db, input.signupId)
    if (seen?.userId !== userId) return refuse('kernel/not-found', {})
    await lockSelection(db, seen.examId)
    const person = await ownPerson(db, input.signupId, userId)
    const exam = await findExam(db, seen.examId)
    if (!person || !exam) return refuse('kernel/not-found', {})
    return leavePlace(kit, ctx, db, exam, person, input.remark?.trim() || null)
  })

const leavePlace = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, exam: ExamRow, person: PersonRow, remark: string | null) => {
  if (!mayLeave(person)) {
    const isAfterInterview = person.endedStage !== null || (person.stage >= stages.medical && person.stage <= stages.hire)
    const state = isAfterInterview ? stepMachine.label[person.step] : recheckMachine.label[person.review]
    return refuseSelection('selection/state', {
      ...{ name: person.name, state: ctx.say(state) },
      event: ctx.say({ zh: '放弃', en: 'give up' }),
    })
  }
  await leaveAnywhere(kit, db, exam, person, { kind: 'declined', remark, by: { ctx, name: person.name } })
  return { stage: stages.out }
}

/** The second medical check is under way; whoever runs it has so many working days (amendment A10). */
export const beginRecheck = async (
  kit: SelectionKit,
  ctx: Ctx,
  db: TenantDb,
  exam: ExamRow,
  person: PersonRow,
  byName: string,
): Promise<Date> => {
  const rule = await ruleOf(db, exam.id)
  const policy = await readPolicy(kit, db)
  // The day of the request is not one of them.
  const day = lastWorkingDay(ctx.arrivedAt, rule.medicalDoneDays + 1, policy)
  const until = new Date(`${day}T24:00:00+08:00`)
  if (!(await moveStep(db, person, { step: 'rechecking', until, rechecked: true })))
    throw new Error(`person ${person.signupId} moved under its lock`)
  await insertStep(db, {
    ...{
      examId: exam.id,
      code: person.code,
      signupId: person.signupId,
      userId: person.userId,
      stage: person.stage,
      kind: 'recheckAsked',
      byName,
    },
    facts: { stage: person.stage, deadline: day },
  })
  await kit.message.notify(db, {
    ...{ userId: person.userId, examId: exam.id, kind: 6, link, eventKey: `selection-recheck:${person.signupId}` },
    ...recheckAskedNotice(exam.examName, day),
  })
  await audit(db, ctx, {
    action: 'selection.recheck-asked',
    entity: 'signup',
    entityId: person.signupId,
    after: { until: toWireDay(new Date(until.getTime() - 1)) },
  })
  return until
}

/** A candidate asks for a second medical check. */
export const askSecond = (kit: SelectionKit, ctx: Ctx, signupId: string) =>
  ctx.asSystem(because, async db => {
    const person = await ownPerson(db, signupId, sessionOf(ctx).userId)
    const exam = person && (await findExam(db, person.examId))
    if (!person || !exam) return refuse('kernel/not-found', {})
    if (person.step === 'rechecking' && person.stepUntil) return { until: toEndMinute(person.stepUntil) }
    if (person.step !== 'failing' || !person.stepUntil || ctx.arrivedAt >= person.stepUntil)
      return refuseSelection('selection/recheck-late', { deadline: person.stepUntil ? toEndMinute(person.stepUntil) : '-' })
    return { until: toEndMinute(await beginRecheck(kit, ctx, db, exam, person, person.name)) }
  })
