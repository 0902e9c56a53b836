import { refuse } from '#contract/kernel/errors.ts'
import { step as nextOf } from '#contract/kernel/machine.ts'
import { toEndMinute } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import { recheckMachine, stepMachine } from '#contract/selection/selection.state.ts'
import { type StepKind, stage as stages } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { Refused } from '#kernel/http/context.ts'
import { type ExamRow, freeSeat } from '#modules/exam/index.ts'
import { orderRanking } from '#modules/result/index.ts'
import { dropSeatsOf } from '#modules/ticket/index.ts'
import { endCalls } from '../data/call.repo.ts'
import { areInterviewTicketsOut } from '../data/exam.repo.ts'
import { moveReview, moveStep, type PersonRow } from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit, Telling } from '../deps.ts'
import { lapsedNotice, link, outNotice, recheckNotice } from '../templates/notices.ts'
import { type By, fillReview, substituteInStages } from './fill.ts'

const changed = () => new Refused(refuse('kernel/changed-meanwhile', {}))

/** Who leaves the re-review, and how. The selection of the examination is locked and the person held. */
export interface Leaving {
  readonly kind: Extract<StepKind, 'declined' | 'lapsed' | 'refused' | 'gaveUp' | 'disqualified'>
  readonly remark: string | null
  readonly by: By
  /** Of a call nobody answered. */
  readonly deadline?: Date
}

/** Not fit for the post: the sign-up itself no longer counts, its place is free, and a ticket counts neither (domain 4.2). */
export const strikeOut = async (
  db: TenantDb,
  person: { readonly signupId: string; readonly examId: string; readonly code: string },
  remark: string | null,
): Promise<void> => {
  const move = { from: 'passed', to: 'disqualified', column: 'examine' }
  if (!(await transition(db, 'signup', person.signupId, move, { examine_remark: remark }))) throw changed()
  await freeSeat(db, person.examId, person.code)
  await dropSeatsOf(db, person.signupId)
}

/** Takes somebody out of the re-review and calls the next. @returns how many moved up */
export const leaveReview = async (kit: Telling, db: TenantDb, exam: ExamRow, person: PersonRow, of: Leaving): Promise<number> => {
  const isRefused = of.kind === 'refused' || of.kind === 'disqualified'
  const to = nextOf(recheckMachine, person.review, of.kind === 'disqualified' ? 'disqualify' : isRefused ? 'refuse' : 'giveUp')
  if (to === undefined) throw changed()
  const moved = await moveReview(
    db,
    person.signupId,
    { from: person.review, to },
    { remark: of.remark, shortlist: 3, stage: stages.out, isDecision: true },
  )
  if (!moved) throw changed()
  await endCalls(db, person.signupId)
  await insertStep(db, {
    ...{
      examId: exam.id,
      code: person.code,
      signupId: person.signupId,
      userId: person.userId,
      stage: stages.recheck,
      kind: of.kind,
      byName: of.by.name,
    },
    facts: {
      stage: stages.recheck,
      ...(of.remark ? { reason: of.remark } : {}),
      ...(of.deadline ? { deadline: toEndMinute(of.deadline) } : {}),
    },
  })
  const areTicketsOut = await areInterviewTicketsOut(db, exam.id)
  if (isRefused) await strikeOut(db, person, of.remark)
  // A written decision to disqualify is told and noted by itself, with the remedies.
  if (of.kind !== 'disqualified') {
    const text =
      of.kind === 'lapsed' ? lapsedNotice(exam.examName, stages.recheck) : recheckNotice(exam.examName, isRefused ? 3 : 4, of.remark ?? '')
    await kit.message.notify(db, {
      ...{ userId: person.userId, examId: exam.id, kind: 6, link, eventKey: `selection-left:${person.signupId}:${stages.recheck}` },
      ...text,
    })
    await audit(db, of.by.ctx, {
      action: of.kind === 'lapsed' ? 'selection.lapsed' : of.by.ctx?.session?.userType === 2 ? 'selection.answered' : 'recheck.rechecked',
      entity: 'signup',
      entityId: person.signupId,
      before: { reviewState: recheckMachine.wire[person.review] },
      after: { reviewState: recheckMachine.wire[to] },
      ...(of.remark ? { reason: of.remark } : {}),
    })
  }
  const count = await fillReview(kit, db, exam, person.code, person.signupId, of.by)
  // Who is out has no place in the ranks that candidates see; once interview tickets are out nobody moves up in them either.
  if (isRefused || !areTicketsOut) await orderRanking(db, person.signupId)
  return count
}

/** Takes somebody out of a stage after the interview and lets the next in. @returns how many moved up */
export const leaveStage = async (
  kit: SelectionKit,
  db: TenantDb,
  exam: ExamRow,
  person: PersonRow,
  of: {
    readonly event: 'fail' | 'giveUp' | 'lapse' | 'disqualify'
    readonly kind: Extract<StepKind, 'disqualified' | 'stepFailed' | 'gaveUp' | 'declined' | 'lapsed' | 'recheckLapsed'>
    readonly remark: string | null
    readonly date?: string | null
    readonly deadline?: Date
    readonly by: By
  },
): Promise<number> => {
  const to = nextOf(stepMachine, person.step, of.event)
  if (to === undefined) throw changed()
  const moved = await moveStep(db, person, {
    step: to,
    stage: stages.out,
    endedStage: person.stage,
    ...(of.remark === null ? {} : { remark: of.remark }),
    ...(of.date == null ? {} : { date: of.date }),
    until: null,
  })
  if (!moved) throw changed()
  await endCalls(db, person.signupId)
  await insertStep(db, {
    ...{
      examId: exam.id,
      code: person.code,
      signupId: person.signupId,
      userId: person.userId,
      stage: person.stage,
      kind: of.kind,
      byName: of.by.name,
    },
    facts: {
      stage: person.stage,
      ...(of.remark ? { reason: of.remark } : {}),
      ...(of.deadline ? { deadline: toEndMinute(of.deadline) } : {}),
    },
  })
  if (of.kind !== 'disqualified') {
    const isOwn = of.kind === 'gaveUp' || of.kind === 'declined'
    await kit.message.notify(db, {
      ...{ userId: person.userId, examId: exam.id, kind: 6, link, eventKey: `selection-left:${person.signupId}:${person.stage}` },
      ...(of.kind === 'lapsed' ? lapsedNotice(exam.examName, person.stage) : outNotice(exam.examName, person.stage, isOwn)),
    })
    await audit(db, of.by.ctx, {
      action: of.kind === 'lapsed' ? 'selection.lapsed' : of.by.ctx?.session?.userType === 2 ? 'selection.answered' : 'selection.judged',
      entity: 'signup',
      entityId: person.signupId,
      before: { stage: person.stage, step: stepMachine.wire[person.step] },
      after: { stage: stages.out, step: stepMachine.wire[to] },
      ...(of.remark ? { reason: of.remark } : {}),
    })
  }
  return substituteInStages(kit, db, exam, person.code, { stage: person.stage, otherId: person.signupId, by: of.by })
}

/** Whether somebody may still give up: in the re-review, or in a stage without an outcome. */
export const mayLeave = (person: PersonRow): boolean =>
  person.stage >= stages.medical && person.stage <= stages.hire
    ? nextOf(stepMachine, person.step, 'giveUp') !== undefined
    : person.stage < stages.medical && nextOf(recheckMachine, person.review, 'giveUp') !== undefined

/** The person gives up, wherever they are. @returns how many moved up */
export const leaveAnywhere = (
  kit: SelectionKit,
  db: TenantDb,
  exam: ExamRow,
  person: PersonRow,
  of: { readonly kind: 'declined' | 'gaveUp' | 'lapsed'; readonly remark: string | null; readonly by: By; readonly deadline?: Date },
): Promise<number> => {
  if (!mayLeave(person)) throw new Refused(refuseSelection('selection/state', { name: person.name, state: '-', event: '-' }))
  return person.stage >= stages.medical
    ? leaveStage(kit, db, exam, person, { ...of, event: 'giveUp' })
    : leaveReview(kit, db, exam, person, of)
}
