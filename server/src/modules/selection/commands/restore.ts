import { refuse } from '#contract/kernel/errors.ts'
import { step as nextOf } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { decideRestore, proposeRestore } from '#contract/selection/selection.routes.ts'
import { recheckMachine, restorationMachine } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { type ExamRow, listOfficers, takeSeat } from '#modules/exam/index.ts'
import { orderRanking } from '#modules/result/index.ts'
import { insertRecord, readOverwritten } from '#modules/signup/index.ts'
import { seatAgain } from '#modules/ticket/index.ts'
import { disqualifiersOf } from '../data/disqualification.repo.ts'
import { type Holder, isPerson, moveReview, moveStage } from '../data/person.repo.ts'
import { findProposal, insertProposal, listRestorations } from '../data/restoration.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { link, notRestoredNotice, restoredNotice, restoreProposedNotice } from '../templates/notices.ts'
import { callAgain } from './fill.ts'
import { holdSignup, signupPage } from './standing.ts'

const changed = () => new Refused(refuse('kernel/changed-meanwhile', {}))

const refuseOther = (ctx: Ctx, person: Holder): void => {
  if (nextOf(signupMachine, person.examine, 'restore') === undefined)
    throw new Refused(
      refuseSelection('selection/not-disqualified', { name: person.name, state: ctx.say(signupMachine.label[person.examine]) }),
    )
}

/**
 * Proposes to restore a sign-up after an objection; the administrators are told (domain 4.2, 7 → 5).
 *
 * Refusals: kernel/not-found, signup/exam-not-open, selection/not-disqualified, selection/restore-waiting.
 */
export const proposeRestoring = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof proposeRestore>) => {
  const { person, exam } = await holdSignup(ctx, db, input.signUpId)
  refuseOther(ctx, person)
  if ((await listRestorations(db, person.signupId)).some(one => one.state === 'proposed'))
    return refuseSelection('selection/restore-waiting', {})
  const { realName } = sessionOf(ctx)
  const reason = input.reason.trim()
  const id = await insertProposal(db, { examId: exam.id, signupId: person.signupId, reason, byName: realName })
  await audit(db, ctx, {
    action: 'recheck.restore-proposed',
    entity: 'signup',
    entityId: person.signupId,
    after: { restorationId: id },
    reason,
  })
  for (const userId of await listOfficers(db, exam.id, 'admin'))
    await kit.message.notify(db, {
      ...{ userId, examId: exam.id, kind: 7, link: signupPage(person.signupId) },
      ...restoreProposedNotice(exam.examName, person.name),
      eventKey: `selection-restore:${id}`,
    })
  return { id, state: restorationMachine.wire.proposed }
}

/** Where the re-review of somebody who is restored begins; undefined for whoever was not refused there. */
const reviewAgain = (person: Holder) => nextOf(recheckMachine, person.review, 'restore')

/**
 * The sign-up counts again: its place, its rank, the re-review from its beginning where it was in one, and a free seat in each paper that is still to
 * come.
 */
const restore = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, exam: ExamRow, person: Holder, decision: string): Promise<number> => {
  const to = nextOf(signupMachine, person.examine, 'restore')
  if (to === undefined) throw changed()
  if (!(await takeSeat(db, exam.id, person.code))) throw new Refused(refuseSignup('signup/post-full', {}))
  const session = sessionOf(ctx)
  await insertRecord(db, {
    ...{ signupId: person.signupId, examId: exam.id, userId: person.userId, signVersion: person.signVersion, level: 4, result: 1 },
    ...{ remark: decision, advisements: [], before: person.examine, after: to, durationMs: 0 },
    ...{ examinerId: session.userId, examinerName: session.realName, overwritten: await readOverwritten(db, person.signupId) },
  })
  const move = { from: person.examine, to, column: 'examine' }
  if (!(await transition(db, 'signup', person.signupId, move, { examine_remark: null }))) throw changed()
  const review = reviewAgain(person)
  if (review !== undefined) {
    const set = { remark: null, isDecision: true, stage: stages.recheck, shortlist: person.kind ?? 0 }
    if (!(await moveReview(db, person.signupId, { from: person.review, to: review }, set))) throw changed()
    await callAgain(kit, db, exam, person, person.kind === 2 ? 2 : 1)
  } else if (isPerson(person) && person.review === 'none' && person.stage === stages.out)
    // Came to the medical check without a re-review: may be chosen for it again.
    await moveStage(db, person.signupId, { from: stages.out, to: stages.interview })
  await orderRanking(db, person.signupId)
  return seatAgain(ctx, db, exam.id, person.signupId)
}

/**
 * Decides on a proposal, by a second person and with reasons; the person is told either way (domain 4.2, 7 → 5).
 *
 * Refusals: kernel/not-found, signup/exam-not-open, signup/post-full, selection/restore-decided, restore-own, not-disqualified, and those of seating:
 * 2301 where no seat is left, 2311 for a name that no font prints. Nothing is changed then.
 */
export const decideRestoring = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof decideRestore>) => {
  const seen = await findProposal(db, input.id)
  if (!seen) return refuse('kernel/not-found', {})
  const { person, exam } = await holdSignup(ctx, db, seen.signupId)
  const proposal = await findProposal(db, input.id)
  const isGranted = input.outcome === 1
  const to = proposal && nextOf(restorationMachine, proposal.state, isGranted ? 'grant' : 'dismiss')
  if (!proposal || to === undefined) return refuseSelection('selection/restore-decided', {})
  const { userId, realName } = sessionOf(ctx)
  if (proposal.proposedById === userId) return refuseSelection('selection/restore-own', {})
  // Nobody undoes by the own word alone what the own word brought about.
  await refuseSamePerson(db, 'restore', userId, [proposal.proposedById, ...(await disqualifiersOf(db, person.signupId))])
  if (isGranted) refuseOther(ctx, person)
  const decision = input.decision.trim()
  const set = { decision, decided_by: userId, decided_name: realName, decided_at: db.now }
  if (!(await transition(db, 'selection_restoration', proposal.id, { from: proposal.state, to }, set))) throw changed()
  const seats = isGranted ? await restore(kit, ctx, db, exam, person, decision) : 0
  const isReviewed = reviewAgain(person) !== undefined
  // The chain tells of people who came to the re-review or after it.
  if (isPerson(person))
    await insertStep(db, {
      ...{ examId: exam.id, code: person.code, signupId: person.signupId, userId: person.userId, stage: stages.recheck, byName: realName },
      kind: isGranted ? 'restored' : 'notRestored',
      facts: { stage: stages.recheck, reason: decision },
    })
  await kit.message.notify(db, {
    ...{ userId: person.userId, examId: exam.id, kind: 6, link, needSure: true, eventKey: `selection-restore-decided:${proposal.id}` },
    ...(isGranted ? restoredNotice(exam.examName, decision, isReviewed) : notRestoredNotice(exam.examName, decision)),
  })
  await audit(db, ctx, {
    action: isGranted ? 'recheck.restored' : 'recheck.restore-dismissed',
    entity: 'signup',
    entityId: person.signupId,
    before: { examine: person.examine, reviewState: recheckMachine.wire[person.review] },
    after: {
      restorationId: proposal.id,
      ...(isGranted ? { examine: 'passed', reviewState: recheckMachine.wire[reviewAgain(person) ?? person.review], seats } : {}),
    },
    reason: decision,
  })
  return { id: proposal.id, state: restorationMachine.wire[to], seats }
}
