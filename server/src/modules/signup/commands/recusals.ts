import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { getRecusals, recuseSelf, removeRecusal, saveRecusal } from '#contract/signup/allot.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { listExamUsers } from '../data/allot.repo.ts'
import { dropRecusal, findRecusal, insertRecusal, isUnitOf, pageRecusals, takeFromReviewer } from '../data/recusal.repo.ts'
import { findSignup, lockSignup, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { levelOf } from '../domain/examine.ts'
import { type DrawKit, handOutAgain } from './allot-signups.ts'
import { mayDecideAt } from './examine-signup.ts'
import { nextFor } from './next-for.ts'
import { mayReach, reviewScopeOf } from './review-scope.ts'
import { maySee, unitsOf } from './visibility.ts'

type RecusalKit = DrawKit & Pick<SignupContext, 'conflicts'>

const notFound = () => new Refused(refuse('kernel/not-found', {}))

export const readRecusals = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof getRecusals>): Promise<OutputOf<typeof getRecusals>> => {
  if (!(await findExam(db, input.examId))) throw notFound()
  const units = unitsOf(sessionOf(ctx))
  if (units !== undefined) throw new Refused(refuse('kernel/whole-needed', {}))
  const { current, size, offset } = sliceOf(input)
  const { rows, total } = await pageRecusals(db, input.examId, { limit: size, offset })
  const shown = rows.map(({ examId: _examId, createdAt, ...row }) => ({ ...row, createTime: toWireTime(createdAt) }))
  return toPage(shown, total, current, size) as OutputOf<typeof getRecusals>
}

/** Records a recusal and takes from the reviewer what it is about; that is handed out anew in the same transaction. */
const record = async (
  kit: RecusalKit,
  db: TenantDb,
  ctx: Ctx,
  of: {
    readonly examId: string
    readonly userId: string
    readonly signup: SignupRow | undefined
    readonly unit: string | undefined
    readonly reason: string
  },
): Promise<{ id: string; returned: number }> => {
  const exam = await findExam(db, of.examId)
  if (!exam) throw notFound()
  const id = await insertRecusal(db, {
    examId: exam.id,
    userId: of.userId,
    signupId: of.signup?.id ?? null,
    idCardIndex: of.signup?.idCardIndex ?? null,
    unit: of.unit ?? null,
    reason: of.reason,
  })
  if (id === undefined) throw new Refused(refuseSignup('recusal/known', {}))
  db.afterCommit(kit.conflicts.forget)
  const taken = await takeFromReviewer(db, {
    examId: exam.id,
    userId: of.userId,
    signupId: of.signup?.id ?? null,
    unit: of.unit ?? null,
  })
  await audit(db, ctx, {
    action: 'recusal.added',
    entity: of.signup ? 'signup' : 'examination',
    entityId: of.signup?.id ?? exam.id,
    after: { recusalId: id, reviewerId: of.userId, unit: of.unit ?? null, returned: taken.length },
    reason: of.reason,
  })
  if (exam.state === 'released')
    for (const level of [1, 2] as const) {
      const only = taken.filter(one => one.level === level).map(one => one.signupId)
      if (only.length > 0) await handOutAgain(kit, db, ctx, exam, level, only)
    }
  return { id, returned: taken.length }
}

/** Refuses recusal/of-what, allot/not-listed, recusal/unknown-unit, recusal/known. */
export const addRecusal = async (
  kit: RecusalKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof saveRecusal>,
): Promise<OutputOf<typeof saveRecusal>> => {
  if ((input.signUpId === undefined) === (input.unit === undefined)) throw new Refused(refuseSignup('recusal/of-what', {}))
  const session = sessionOf(ctx)
  if (unitsOf(session) !== undefined) throw new Refused(refuse('kernel/whole-needed', {}))
  if (!(await findExam(db, input.examId))) throw notFound()
  if (!(await listExamUsers(db, input.examId)).some(user => user.userId === input.userId))
    throw new Refused(refuseSignup('allot/not-listed', {}))
  const signup = input.signUpId === undefined ? undefined : await lockSignup(db, input.signUpId)
  if (input.signUpId !== undefined && (!signup || signup.examId !== input.examId || !maySee(session, signup))) throw notFound()
  if (input.unit !== undefined && !(await isUnitOf(db, input.examId, input.unit)))
    throw new Refused(refuseSignup('recusal/unknown-unit', { unit: input.unit }))
  return record(kit, db, ctx, { examId: input.examId, userId: input.userId, signup, unit: input.unit, reason: input.reason })
}

/** What was recorded stays on record; the reviewer may be given such sign-ups again. */
export const liftRecusal = async (
  { conflicts }: RecusalKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof removeRecusal>,
): Promise<OutputOf<typeof removeRecusal>> => {
  const found = await findRecusal(db, input.id)
  if (!found || !(await findExam(db, found.examId))) throw notFound()
  if (unitsOf(sessionOf(ctx)) !== undefined) throw new Refused(refuse('kernel/whole-needed', {}))
  await dropRecusal(db, found.id)
  db.afterCommit(conflicts.forget)
  await audit(db, ctx, {
    action: 'recusal.removed',
    entity: found.signUpId === null ? 'examination' : 'signup',
    entityId: found.signUpId ?? found.examId,
    before: { recusalId: found.id, reviewerId: found.userId, unit: found.unit, reason: found.reason },
    reason: input.reason,
  })
  return { id: found.id }
}

/** A reviewer declares a conflict with a sign-up they may read; it leaves them at once. */
export const recuseOneself = async (
  kit: RecusalKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof recuseSelf>,
): Promise<OutputOf<typeof recuseSelf>> => {
  const session = sessionOf(ctx)
  const seen = await findSignup(db, input.signUpId)
  const exam = seen && (await findExam(db, seen.examId))
  if (!seen || !exam || !maySee(session, seen) || !(await mayReach(db, session, seen.id))) throw notFound()
  const signup = (await lockSignup(db, seen.id)) ?? seen
  const { id } = await record(kit, db, ctx, { examId: exam.id, userId: session.userId, signup, unit: undefined, reason: input.reason })
  const level = levelOf(signup.examine)
  if (level === undefined || !mayDecideAt(session, level)) return { id, nextId: null }
  const scope = await reviewScopeOf(db, session, exam, level)
  return { id, nextId: (await nextFor(db, session, exam, level, scope)) ?? null }
}
