import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { addObjection, endObjection } from '#contract/selection/selection.routes.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { lockPerson } from '../data/person.repo.ts'
import { decideObjection, findObjection, insertObjection, listObjections } from '../data/publicity.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import { unitsFor } from './scope.ts'

export const readObjections = async (ctx: Ctx, db: TenantDb, examId: string) => {
  if (!(await findExam(db, examId))) return refuse('kernel/not-found', {})
  const rows = await listObjections(db, examId, unitsFor(sessionOf(ctx)))
  return rows.map(({ createdAt, decidedAt, examId: _, userId: __, ...row }) => ({
    ...row,
    time: toWireTime(createdAt),
    decidedTime: decidedAt && toWireTime(decidedAt),
  }))
}

/** An objection made during the publicity stands on the sign-up until somebody says what it came to. */
export const recordObjection = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof addObjection>) => {
  const person = await lockPerson(db, input.signupId)
  if (!person) return refuse('kernel/not-found', {})
  if (person.stage !== stages.publicity) return refuseSelection('selection/objection-stage', {})
  const { realName } = sessionOf(ctx)
  const id = await insertObjection(db, {
    ...{ examId: person.examId, signupId: person.signupId, content: input.content, source: input.source ?? null, byName: realName },
  })
  await insertStep(db, {
    ...{ examId: person.examId, code: person.code, signupId: person.signupId, userId: person.userId },
    ...{ stage: person.stage, kind: 'objection', byName: realName, facts: { stage: person.stage } },
  })
  await audit(db, ctx, { action: 'selection.objected', entity: 'signup', entityId: person.signupId, after: { objectionId: id } })
  return { id }
}

export const settleObjection = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof endObjection>) => {
  const objection = await findObjection(db, input.id)
  if (!objection) return refuse('kernel/not-found', {})
  const { realName } = sessionOf(ctx)
  if (!(await decideObjection(db, input.id, { state: input.state, decision: input.decision, byName: realName })))
    return refuseSelection('selection/objection-done', {})
  await insertStep(db, {
    ...{ examId: objection.examId, code: objection.code, signupId: objection.signupId, userId: objection.userId },
    ...{ stage: stages.publicity, kind: 'objectionEnded', byName: realName },
    facts: { stage: stages.publicity, reason: input.decision.slice(0, 200) },
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
