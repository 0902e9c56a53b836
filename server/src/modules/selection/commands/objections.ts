import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type {
  addObjection,
  answerObjection,
  confirmObjectionStatement,
  endObjection,
  noteObjectionStatement,
} from '#contract/selection/selection.routes.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { findExam, listOfficers } from '#modules/exam/index.ts'
import {
  answerOwn,
  confirmHeard,
  daysToAnswer,
  type HearingKind,
  isHeard,
  lockHearing,
  noteHeard,
  tellOfProposal,
  unheardProblem,
} from '#modules/signup/index.ts'
import { lockPerson } from '../data/person.repo.ts'
import { decideObjection, findObjection, insertObjection, listObjections, listOwnObjections } from '../data/publicity.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { objectionAnsweredNotice, objectionEndedNotice, objectionNotice } from '../templates/notices.ts'
import { answerEnd } from './disqualify.ts'
import { heardIn } from './heard.ts'
import { unitsFor } from './scope.ts'

const because = 'objections belong to the office; a person reads and answers those about the own hire'
const ownLink = '/signup/selection'
const table = 'selection_objection'

const objectionHearing: HearingKind = {
  table,
  label: { zh: '公示异议', en: 'objection' },
  trail: 'selection.objection',
  link: ownLink,
  paper: 'objectionPaper',
}

const endOf = async (kit: SelectionKit, db: TenantDb, of: { readonly id: string; readonly createdAt: Date }, answerUntil: Date) =>
  toWireTime((await daysToAnswer(kit, db, table, { id: of.id, createdAt: of.createdAt, answerUntil })).until)

/** Objections to the caller. From whom they came stays with the office. */
export const readOwnObjections = (kit: SelectionKit, ctx: Ctx) =>
  ctx.asSystem(because, async db => {
    const shown = []
    for (const one of await listOwnObjections(db, sessionOf(ctx).userId)) {
      const exam = await findExam(db, one.examId)
      if (!exam || one.answerUntil === null) continue
      shown.push({
        ...{ id: one.id, examId: exam.id, examName: exam.examName, contactPhone: exam.contactPhone ?? '' },
        ...{ state: one.state === 1 ? 0 : one.state === 3 ? 1 : 2, reason: one.content, time: toWireTime(one.createdAt) },
        ...{ answerUntil: await endOf(kit, db, one, one.answerUntil), ...(await heardIn(kit, db, ctx, one.id, table)) },
        ...{ decision: one.decision, decidedTime: one.decidedAt && toWireTime(one.decidedAt) },
      })
    }
    return shown
  })

/** Keeps the answer and tells whoever looks into it. Refusals: those of `answerOwn`. */
export const answerToObjection = (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof answerObjection>) =>
  ctx.asSystem(because, async db => {
    const answered = await answerOwn(kit, db, ctx, objectionHearing, input)
    const exam = await findExam(db, answered.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    for (const officer of await listOfficers(db, exam.id, 'admin'))
      await kit.message.notify(db, {
        ...{ userId: officer, examId: exam.id, kind: 7, link: '/result/selection' },
        ...{ ...objectionAnsweredNotice(exam.examName), eventKey: `${table}:${answered.id}:answered:${db.now.getTime()}` },
      })
    return { id: answered.id, statedTime: toWireTime(db.now) }
  })

export const noteObjectionAnswer = async (kit: SelectionKit, db: TenantDb, ctx: Ctx, input: InputOf<typeof noteObjectionStatement>) => {
  const { id, confirmed } = await noteHeard(kit, db, ctx, objectionHearing, input)
  return { id, confirmed }
}
export const confirmObjectionAnswer = async (
  kit: SelectionKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof confirmObjectionStatement>,
) => {
  const answer = await confirmHeard(kit, db, ctx, objectionHearing, input)
  return isRefusal(answer) ? answer : { id: answer.id, confirmed: answer.confirmed }
}

export const readObjections = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, examId: string) => {
  if (!(await findExam(db, examId))) return refuse('kernel/not-found', {})
  const rows = await listObjections(db, examId, unitsFor(sessionOf(ctx)))
  const shown = []
  for (const { createdAt, decidedAt, answerUntil, recordedById: _by, examId: _exam, userId: _user, ...row } of rows)
    shown.push({
      ...row,
      time: toWireTime(createdAt),
      decidedTime: decidedAt && toWireTime(decidedAt),
      answerUntil: answerUntil && (await endOf(kit, db, { id: row.id, createdAt }, answerUntil)),
      ...(await heardIn(kit, db, ctx, row.id, table)),
    })
  return shown
}

/** An objection made during the publicity stands on the sign-up until somebody says what it came to. The person is told and may answer. */
export const recordObjection = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof addObjection>) => {
  const person = await lockPerson(db, input.signupId)
  if (!person) return refuse('kernel/not-found', {})
  if (person.stage !== stages.publicity) return refuseSelection('selection/objection-stage', {})
  const exam = await findExam(db, person.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const { realName } = sessionOf(ctx)
  const answerUntil = await answerEnd(kit, db)
  const id = await insertObjection(db, {
    ...{ userId: person.userId, answerUntil },
    ...{ examId: person.examId, signupId: person.signupId, content: input.content, source: input.source ?? null, byName: realName },
  })
  await insertStep(db, {
    ...{ examId: person.examId, code: person.code, signupId: person.signupId, userId: person.userId },
    ...{ stage: person.stage, kind: 'objection', byName: realName, facts: { stage: person.stage } },
  })
  await tellOfProposal(kit, db, {
    ...{ table, id, examName: exam.examName, answerUntil },
    notice: {
      ...{ userId: person.userId, examId: exam.id, kind: 7, link: ownLink, needSure: true, eventKey: `${table}:${id}` },
      ...objectionNotice(exam.examName, input.content, toEndMinute(answerUntil)),
    },
  })
  await audit(db, ctx, { action: 'selection.objected', entity: 'signup', entityId: person.signupId, after: { objectionId: id } })
  return { id }
}

/**
 * What an objection came to. That it is right says somebody else than who recorded it, and not before the person answered or the days are over.
 *
 * Refusals: kernel/not-found, selection/objection-done, selection/objection-early, kernel/two-persons-own.
 */
export const settleObjection = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof endObjection>) => {
  const objection = await findObjection(db, input.id)
  if (!objection) return refuse('kernel/not-found', {})
  if (objection.state !== 1) return refuseSelection('selection/objection-done', {})
  const { realName, userId } = sessionOf(ctx)
  if (input.state === 3) {
    await refuseSamePerson(db, 'objectionUpheld', userId, [objection.recordedById])
    const heard = await lockHearing(db, table, objection.id)
    const { answerUntil } = objection
    if (answerUntil !== null && !(heard && isHeard(heard))) {
      const early = await unheardProblem(kit, db, table, { ...objection, answerUntil }, time =>
        refuseSelection('selection/objection-early', { time }),
      )
      if (early) return early
    }
  }
  if (!(await decideObjection(db, input.id, { state: input.state, decision: input.decision, byName: realName })))
    return refuseSelection('selection/objection-done', {})
  await insertStep(db, {
    ...{ examId: objection.examId, code: objection.code, signupId: objection.signupId, userId: objection.userId },
    ...{ stage: stages.publicity, kind: 'objectionEnded', byName: realName },
    facts: { stage: stages.publicity, reason: input.decision.slice(0, 200) },
  })
  const exam = await findExam(db, objection.examId)
  await kit.message.notify(db, {
    ...{ userId: objection.userId, examId: objection.examId, kind: 7, link: ownLink, eventKey: `${table}:${input.id}:ended` },
    ...objectionEndedNotice(exam?.examName ?? '', input.state === 3, input.decision),
  })
  await audit(db, ctx, {
    action: 'selection.objection-ended',
    entity: 'signup',
    entityId: objection.signupId,
    before: { objectionId: input.id, state: 1 },
    after: { state: input.state },
    reason: input.decision,
  })
  return { id: input.id }
}
