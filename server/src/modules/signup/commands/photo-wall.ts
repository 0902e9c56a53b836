import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { adviceIn, cannedAdvice, storedAdvice } from '#contract/signup/canned-advice.ts'
import type { markPhotos, photoWall, returnPhotos } from '#contract/signup/photo-wall.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { countPhotos, findMark, pagePhotos, type WallFilter, writeMarks } from '../data/photo-wall.repo.ts'
import { findSignup } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { levelOf } from '../domain/examine.ts'
import { statesWaitingFor } from '../domain/review-list.ts'
import { examineSignup, mayDecideAt } from './examine-signup.ts'
import { mayReach, seesPart } from './review-scope.ts'
import { takeReview } from './take-review.ts'
import { maySee, unitsOf } from './visibility.ts'

const photoKey = 'photo'
/** Sign-ups whose photo may still matter: whoever withdrew or was refused has no ticket. */
const shownStates: readonly SignupState[] = ['waiting', 'second', 'returned', 'passed']

const filterOf = async (
  db: TenantDb,
  session: Session,
  input: { readonly examId: string; readonly unit?: string; readonly photoState?: number; readonly all?: 0 | 1 },
): Promise<WallFilter> => {
  const exam = await findExam(db, input.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const levels = ([1, 2] as const).filter(level => mayDecideAt(session, level))
  return {
    examId: exam.id,
    states: input.all === 1 ? shownStates : statesWaitingFor(levels),
    units: unitsOf(session),
    unit: input.unit || undefined,
    photoState: input.photoState,
    givenTo: (await seesPart(db, session, exam)) ? session.userId : undefined,
    reader: session.userId,
  }
}

export const readPhotoWall = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof photoWall>,
): Promise<OutputOf<typeof photoWall>> => {
  const session = sessionOf(ctx)
  const { current, size, offset } = sliceOf(input)
  const filter = await filterOf(db, session, input)
  const rows = await pagePhotos(db, filter, { limit: size, offset })
  const counts = await countPhotos(db, filter)
  const reader = { tenantId: ctx.tenantId, userId: session.userId }
  const shown = rows.map(({ photoFileId, checks, examine, ...row }) => {
    const level = levelOf(examine)
    return {
      ...row,
      examine: signupMachine.wire[examine],
      advice: row.advice && adviceIn(row.advice, ctx.language),
      findings: (checks ?? []).filter(check => !check.ok).map(check => check.rule),
      link: deps.file.linkFor(reader, photoFileId, ctx.arrivedAt),
      mayReturn: level !== undefined && mayDecideAt(session, level),
    }
  })
  const total =
    input.photoState === undefined ? counts.unseen + counts.good + counts.bad : [counts.unseen, counts.good, counts.bad][input.photoState]
  return { ...toPage(shown, total ?? 0, current, size), counts } as OutputOf<typeof photoWall>
}

/** Marks photos. A mark is no decision: it is kept until the sign-ups are sent back, or a new photo takes it away. */
export const savePhotoMarks = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof markPhotos>): Promise<OutputOf<typeof markPhotos>> => {
  for (const [at, mark] of input.marks.entries())
    if (mark.photoState === 2 && !mark.advice?.trim())
      throw new Refused(
        refuseField(`marks.${at}.advice`, { zh: '照片不合格时请选择或填写原因', en: 'Say what is wrong with a photo that is not good' }),
      )
  const filter = await filterOf(db, sessionOf(ctx), { examId: input.examId, all: 1 })
  const marked = new Set(
    await writeMarks(
      db,
      filter,
      input.marks.map(mark => ({ ...mark, advice: mark.photoState === 2 ? storedAdvice(mark.advice ?? '') : null })),
    ),
  )
  const count = (state: number) => input.marks.filter(mark => mark.photoState === state && marked.has(mark.signUpId)).length
  await audit(db, ctx, {
    action: 'signup.photos-marked',
    entity: 'examination',
    entityId: input.examId,
    after: { good: count(1), bad: count(2), cleared: count(0), signUpIds: [...marked] },
  })
  return { saved: marked.size, stale: input.marks.map(mark => mark.signUpId).filter(id => !marked.has(id)) }
}

/**
 * Sends one sign-up back because of its photo: takes its lock as the workbench does and decides as a reviewer decides.
 *
 * Refusals: kernel/not-found, examine/photo-unmarked, whatever keeps the caller from its lock, and those of `examineSignup`.
 */
const returnOne = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  of: { readonly examId: string; readonly id: string; readonly extendHours: number | undefined },
): Promise<void> => {
  const session = sessionOf(ctx)
  const signup = await findSignup(db, of.id)
  const exam = signup && (await findExam(db, signup.examId))
  if (!signup || !exam || exam.id !== of.examId || !maySee(session, signup) || !(await mayReach(db, session, signup.id)))
    throw new Refused(refuse('kernel/not-found', {}))
  const { level, readOnly } = await takeReview(db, ctx, session, { exam, signup })
  if (readOnly || level === undefined) throw new Refused(refuseSignup('examine/photo-kept', { why: readOnly ?? { zh: '', en: '' } }))
  const mark = await findMark(db, signup.id)
  if (mark?.photoState !== 2) throw new Refused(refuseSignup('examine/photo-unmarked', {}))
  await examineSignup(deps, db, ctx, session, {
    signUpId: signup.id,
    examineResult: 2,
    examineResultRemark: cannedAdvice.returned[0].zh,
    advisementList: [{ kind: 'file', key: photoKey, advice: mark.advice ?? cannedAdvice.photo[0].zh }],
    signVersion: signup.signVersion,
    level,
    photoState: 2,
    ...(of.extendHours === undefined ? {} : { extendHours: of.extendHours }),
  })
}

/** Each in a transaction of its own: one that cannot be sent back is named and keeps its mark, the others go. */
export const returnMarkedPhotos = async (
  deps: SignupContext,
  ctx: Ctx,
  input: InputOf<typeof returnPhotos>,
): Promise<OutputOf<typeof returnPhotos>> => {
  const kept: { signUpId: string; signNo: string | null; reason: string }[] = []
  let returned = 0
  for (const id of new Set(idsOf(input.signUpIds)))
    try {
      await ctx.tx(db => returnOne(deps, db, ctx, { examId: input.examId, id, extendHours: input.extendHours }))
      returned += 1
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const seen = error.refusal.reason === 'kernel/not-found' ? undefined : await ctx.tx(db => findSignup(db, id))
      kept.push({ signUpId: id, signNo: seen?.signNo ?? null, reason: ctx.say(error.refusal.text) })
    }
  return { returned, kept }
}
