import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { reviewInfo } from '#contract/selection/selection.routes.ts'
import { recheckMachine } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { conflictOf, insertRecord, readOverwritten } from '#modules/signup/index.ts'
import { endCalls } from '../data/call.repo.ts'
import { hasReviewed } from '../data/exam.repo.ts'
import { nextToReview } from '../data/list.repo.ts'
import { findPerson, lockPerson, moveReview, type PersonRow, storePapers } from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { decideRecheck, type RecheckResult } from '../domain/recheck.ts'
import { link, recheckNotice } from '../templates/notices.ts'
import { lockSelection } from './fill.ts'
import { leaveReview } from './leave.ts'
import { missingPapers } from './papers.ts'
import { ruleOf } from './policy.ts'
import { openProof } from './proof.ts'
import { mayReach, unitsFor } from './scope.ts'

const kinds = { 1: 'passed', 2: 'askedMore' } as const

/** Somebody with a conflict of interest does not decide. */
const refuseRecused = async (db: TenantDb, ctx: Ctx, person: PersonRow): Promise<void> => {
  const { userId } = sessionOf(ctx)
  const of = { examId: person.examId, reviewerId: userId, signupId: person.signupId }
  if ((await conflictOf(db, of)) !== undefined) throw new Refused(refuseSignup('examine/recused', {}))
}

/**
 * A decision of the re-review: state, record, chain, notice, audit line, and whoever moves up, in one transaction (domain 4.3).
 *
 * Refusals: kernel/not-found, examine/recused, selection/same-reviewer, state, advice-required, papers-missing, remark-required,
 * not-proven.
 */
export const decideReviewOf = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof reviewInfo>) => {
  const session = sessionOf(ctx)
  const seen = await findPerson(db, input.signUpId)
  if (!seen || !mayReach(session, seen)) return refuse('kernel/not-found', {})
  await lockSelection(db, seen.examId)
  const person = await lockPerson(db, input.signUpId)
  const exam = await findExam(db, seen.examId)
  if (!person || !exam) return refuse('kernel/not-found', {})
  await refuseRecused(db, ctx, person)
  const result = input.examineResult as RecheckResult
  const remark = (input.remark ?? '').trim()
  const advisements = input.advisementList ?? []
  const rule = await ruleOf(db, exam.id)
  const to = decideRecheck({
    ...{ name: person.name, state: person.review, result, remark, advices: advisements.length, say: ctx.say, contacts: rule.contacts },
    didReview: await hasReviewed(db, person.signupId, session.userId),
    allowSameReviewer: exam.allowSameReviewer,
    proof: await openProof(db, person.signupId),
    missing: result === 1 ? await missingPapers(kit, db, person) : [],
  })
  if (isRefusal(to)) return to
  const overwritten = await readOverwritten(db, person.signupId)
  await insertRecord(db, {
    ...{ signupId: person.signupId, examId: exam.id, userId: person.userId, signVersion: person.signVersion, level: 3, result },
    ...{ remark: remark || null, advisements, before: person.examine, after: result === 3 ? 'disqualified' : person.examine },
    ...{ examinerId: session.userId, examinerName: session.realName, durationMs: 0, overwritten },
  })
  const by = { ctx, name: session.realName }
  let substitutes = 0
  if (result === 3 || result === 4)
    substitutes = await leaveReview(kit, db, exam, person, { kind: result === 3 ? 'refused' : 'gaveUp', remark, by })
  else {
    const set = { remark: remark || null, isDecision: true, ...(result === 1 ? { stage: stages.interview } : {}) }
    if (!(await moveReview(db, person.signupId, { from: person.review, to }, set))) return refuse('kernel/changed-meanwhile', {})
    await storePapers(db, person.signupId, { advisements: result === 2 ? advisements : [] })
    await endCalls(db, person.signupId)
    await insertStep(db, {
      ...{ examId: exam.id, code: person.code, signupId: person.signupId, userId: person.userId, stage: stages.recheck, byName: by.name },
      kind: kinds[result],
      facts: { stage: stages.recheck, ...(remark ? { reason: remark } : {}) },
    })
    await kit.message.notify(db, {
      ...{ userId: person.userId, examId: exam.id, kind: 6, link, needSure: result === 2 },
      eventKey: `selection-review:${person.signupId}:${db.now.getTime()}`,
      ...recheckNotice(exam.examName, result, result === 2 ? advisements.map(({ advice }) => advice).join('；') : remark),
    })
    await audit(db, ctx, {
      action: 'recheck.rechecked',
      entity: 'signup',
      entityId: person.signupId,
      before: { reviewState: recheckMachine.wire[person.review] },
      after: { reviewState: recheckMachine.wire[to] },
      ...(remark ? { reason: remark } : {}),
    })
  }
  const nextId = await nextToReview(db, {
    ...{ examId: exam.id, units: unitsFor(session), userId: session.userId, allowSameReviewer: exam.allowSameReviewer },
  })
  return { reviewState: recheckMachine.wire[to], nextId: nextId ?? null, substitutes }
}
