import { dateProblem } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { step as nextOf } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { decideDisqualify } from '#contract/selection/selection.routes.ts'
import { disqualificationMachine, recheckMachine, stepMachine } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { inAccount } from '#contract/signup/hearing.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { type ExamRow, findExam, listOfficers } from '#modules/exam/index.ts'
import { orderRanking } from '#modules/result/index.ts'
import { insertRecord, isHeard, lockHearing, readOverwritten, tellOfProposal, unheardProblem } from '#modules/signup/index.ts'
import { findDisqualification, insertDisqualification, proposedKey } from '../data/disqualification.repo.ts'
import { findHolder, type Holder, isPerson, moveReview } from '../data/person.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { disqualifiedNotice, disqualifyOfficeNotice, disqualifyProposedNotice, notDisqualifiedNotice } from '../templates/notices.ts'
import { barOf } from './disqualify-bar.ts'
import { leaveReview, leaveStage, strikeOut } from './leave.ts'
import { holdSignup, signupPage } from './standing.ts'

/** So many days somebody has to answer, where the tenant says nothing else. */
const usualAnswerDays = 5
const dayMs = 86_400_000
/** Times are typed to the minute. */
const minuteMs = 60_000
/** Where candidates read what is proposed against them. */
const ownLink = '/signup/selection'
const changed = () => new Refused(refuse('kernel/changed-meanwhile', {}))

/** When the days to answer to what is proposed now are over. */
export const answerEnd = async (kit: Pick<SelectionKit, 'parametersOf'>, db: TenantDb): Promise<Date> => {
  const days = Number((await kit.parametersOf(db, ['integrity.answerDays']))['integrity.answerDays'] ?? usualAnswerDays)
  return new Date(db.now.getTime() + days * dayMs)
}

/** Proposes to disqualify a sign-up that has passed: the person is told and may answer, the administrators are asked to decide (amendment A8). */
export const proposeDisqualifying = async (
  kit: SelectionKit,
  ctx: Ctx,
  db: TenantDb,
  of: { readonly id: string; readonly examId: string },
  reason: string,
): Promise<void> => {
  const person = await findHolder(db, of.id)
  const exam = await findExam(db, of.examId)
  if (!person || !exam) throw new Refused(refuse('kernel/not-found', {}))
  const answerUntil = await answerEnd(kit, db)
  const { realName } = sessionOf(ctx)
  const id = await insertDisqualification(db, {
    ...{ examId: exam.id, signupId: person.signupId, userId: person.userId, reason, byName: realName, answerUntil },
  })
  if (id === undefined) throw new Refused(refuseSelection('selection/disqualify-waiting', {}))
  await audit(db, ctx, {
    action: 'recheck.disqualify-proposed',
    entity: 'signup',
    entityId: person.signupId,
    after: { disqualificationId: id, answerUntil: toWireTime(answerUntil) },
    reason,
  })
  await tellOfProposal(kit, db, {
    ...{ table: 'selection_disqualification', id, examName: exam.examName, answerUntil },
    notice: {
      ...{ userId: person.userId, examId: exam.id, kind: 7, link: ownLink, needSure: true, eventKey: proposedKey(id) },
      ...disqualifyProposedNotice(exam.examName, reason, toEndMinute(answerUntil)),
    },
  })
  for (const userId of await listOfficers(db, exam.id, 'admin'))
    await kit.message.notify(db, {
      ...{ userId, examId: exam.id, kind: 7, link: signupPage(person.signupId), eventKey: `${proposedKey(id)}:office` },
      ...disqualifyOfficeNotice(exam.examName, person.name, toEndMinute(answerUntil)),
    })
}

/** The sign-up no longer counts; whoever is in the re-review or after it leaves it, and the next moves up. @returns how many moved up */
const disqualify = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, exam: ExamRow, person: Holder, decision: string): Promise<number> => {
  const session = sessionOf(ctx)
  const by = { ctx, name: session.realName }
  await insertRecord(db, {
    ...{ signupId: person.signupId, examId: exam.id, userId: person.userId, signVersion: person.signVersion, level: 4, result: 3 },
    ...{ remark: decision, advisements: [], before: person.examine, after: 'disqualified', durationMs: 0 },
    ...{ examinerId: session.userId, examinerName: session.realName, overwritten: await readOverwritten(db, person.signupId) },
  })
  const review = nextOf(recheckMachine, person.review, 'disqualify')
  if (isPerson(person) && person.stage >= stages.medical && person.stage <= stages.hire) {
    if (nextOf(stepMachine, person.step, 'disqualify') === undefined) throw changed()
    await strikeOut(db, person, decision)
    const out = { remark: decision, isDecision: true, shortlist: 3 }
    if (review !== undefined && !(await moveReview(db, person.signupId, { from: person.review, to: review }, out))) throw changed()
    const count = await leaveStage(kit, db, exam, person, { event: 'disqualify', kind: 'disqualified', remark: decision, by })
    await orderRanking(db, person.signupId)
    return count
  }
  if (isPerson(person) && review !== undefined) return leaveReview(kit, db, exam, person, { kind: 'disqualified', remark: decision, by })
  await strikeOut(db, person, decision)
  await orderRanking(db, person.signupId)
  return 0
}

/**
 * Decides on a proposal: by a second person, with reasons, and not before the person answered or the days to answer are over. The person is told
 * with the remedies (domain 4.2, 5 → 7; amendment A8).
 *
 * Refusals: kernel/not-found, signup/exam-not-open, selection/disqualify-decided, -own, statement-how, disqualify-early, -moving, -hired, selection/not-passed.
 */
export const decideDisqualifying = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof decideDisqualify>) => {
  const seen = await findDisqualification(db, input.id)
  if (!seen) return refuse('kernel/not-found', {})
  const { person, exam } = await holdSignup(ctx, db, seen.signupId)
  const proposal = await findDisqualification(db, input.id)
  const isDone = input.outcome === 1
  const to = proposal && nextOf(disqualificationMachine, proposal.state, isDone ? 'disqualify' : 'dismiss')
  if (!proposal || to === undefined) return refuseSelection('selection/disqualify-decided', {})
  const { userId, realName } = sessionOf(ctx)
  if (proposal.proposedById === userId) return refuseSelection('selection/disqualify-own', {})
  await refuseSamePerson(db, 'disqualify', userId, [proposal.proposedById])
  const noted = (input.statement ?? '').trim() || null
  // What the person wrote in the account is rewritten by nobody.
  const isOwn = proposal.statementWay === inAccount
  if (isOwn && noted !== null)
    return refuseField('statement', { zh: '本人已在线陈述，不能改写', en: 'The person answered in the account; that stays' })
  const statement = noted ?? proposal.statement
  const answered = input.statementTime === undefined ? undefined : fromWireTime(input.statementTime)
  const since = new Date(proposal.createdAt.getTime() - minuteMs + 1)
  if (
    noted !== null &&
    !(input.statementWay !== undefined && answered && !dateProblem('statementTime', answered, { begin: since, now: db.now }))
  )
    return refuseSelection('selection/statement-how', {})
  const by = { statement_by: userId, statement_by_name: realName, statement_confirmed: null }
  const hearing = noted === null ? null : { statement, statement_way: input.statementWay, statement_at: answered, ...by }
  const heard = await lockHearing(db, 'selection_disqualification', proposal.id)
  // Whoever has answered need not wait for the end; who has not is not judged before it. What staff say that the person said is no answer.
  if (isDone && !(noted === null && heard && isHeard(heard))) {
    const early = await unheardProblem(kit, db, 'selection_disqualification', proposal, time =>
      refuseSelection('selection/disqualify-early', { time }),
    )
    if (early) return early
  }
  const bar = isDone ? barOf(ctx, person) : undefined
  if (bar) return bar
  const decision = input.decision.trim()
  const set = { ...hearing, decision, decided_by: userId, decided_name: realName, decided_at: db.now }
  if (!(await transition(db, 'selection_disqualification', proposal.id, { from: proposal.state, to }, set))) throw changed()
  const substitutes = isDone ? await disqualify(kit, ctx, db, exam, person, decision) : 0
  await kit.message.notify(db, {
    ...{
      userId: person.userId,
      examId: exam.id,
      kind: 7,
      link: ownLink,
      needSure: isDone,
      eventKey: `${proposedKey(proposal.id)}:decided`,
    },
    ...(isDone ? disqualifiedNotice(exam.examName, proposal.reason, decision) : notDisqualifiedNotice(exam.examName, decision)),
  })
  await audit(db, ctx, {
    action: isDone ? 'recheck.disqualified' : 'recheck.disqualify-dismissed',
    entity: 'signup',
    entityId: person.signupId,
    before: { examine: person.examine, reviewState: recheckMachine.wire[person.review] },
    after: { disqualificationId: proposal.id, ...(isDone ? { examine: 'disqualified', substitutes } : {}) },
    reason: decision,
  })
  return { id: proposal.id, state: disqualificationMachine.wire[to], substitutes }
}
