import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { getAllotted, transferAllot } from '#contract/signup/allot.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { countWaiting, findHolder, type Level, listExamUsers, pageAllotted, writeAllotment } from '../data/allot.repo.ts'
import { findLiveLock } from '../data/examine.repo.ts'
import { lockSignup } from '../data/signup.repo.ts'
import { covers } from '../domain/allot.ts'
import { levelOf } from '../domain/examine.ts'
import { conflictOf, conflictWords } from './conflict-of.ts'
import { numbersOf } from './parameters.ts'
import { maySee, unitsOf } from './visibility.ts'

/** What the two levels of review are called, as the buttons of a role are. */
export const reviewOfLevel: Readonly<Record<Level, Label>> = {
  1: { zh: '初审', en: 'first review' },
  2: { zh: '复核', en: 'second review' },
}

/** The instant before which whatever was sent in waits too long. */
export const overdueBeforeOf = async (db: TenantDb, ctx: Ctx): Promise<Date> => {
  const { 'examine.slaHours': hours } = await numbersOf(db, ['examine.slaHours'])
  return new Date(ctx.arrivedAt.getTime() - hours * 3_600_000)
}

export const readAllotted = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof getAllotted>): Promise<OutputOf<typeof getAllotted>> => {
  const exam = await findExam(db, input.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const before = await overdueBeforeOf(db, ctx)
  const { current, size, offset } = sliceOf(input)
  const { rows, total } = await pageAllotted(
    db,
    {
      examId: exam.id,
      level: (input.level ?? 1) as Level,
      holder: input.userId === '0' ? null : input.userId,
      overdueBefore: input.overdue === 1 ? before : undefined,
      keyword: input.keyword?.trim() || undefined,
      units: unitsOf(sessionOf(ctx)),
    },
    { limit: size, offset },
  )
  const shown = rows.map(({ submitTime, allotTime, ...row }) => ({
    ...row,
    allotTime: allotTime && toWireTime(allotTime),
    waitMinutes: submitTime ? Math.max(0, Math.floor((ctx.arrivedAt.getTime() - submitTime.getTime()) / 60_000)) : 0,
    isOverdue: submitTime !== null && submitTime < before,
  }))
  return toPage(shown, total, current, size) as OutputOf<typeof getAllotted>
}

/**
 * Gives one waiting sign-up to another reviewer, under the rules of the allotment.
 *
 * Refusals: kernel/not-found, signup/exam-not-open, allot/not-waiting, allot/open, allot/not-listed, allot/same-holder, allot/outside, allot/conflict,
 * allot/same-reviewer, allot/full.
 */
export const moveAllotted = async (
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof transferAllot>,
): Promise<OutputOf<typeof transferAllot>> => {
  const signup = await lockSignup(db, input.signUpId)
  const exam = signup && (await findExam(db, signup.examId))
  if (!signup || !exam || !maySee(sessionOf(ctx), signup)) throw new Refused(refuse('kernel/not-found', {}))
  if (exam.state !== 'released') throw new Refused(refuseSignup('signup/exam-not-open', {}))
  const level = (input.level ?? levelOf(signup.examine) ?? 1) as Level
  if (levelOf(signup.examine) !== level)
    throw new Refused(refuseSignup('allot/not-waiting', { right: reviewOfLevel[level], state: signupMachine.label[signup.examine] }))
  await lock(db, `allot|${exam.id}|${level}`)
  const open = await findLiveLock(db, signup.id)
  if (open) throw new Refused(refuseSignup('allot/open', { holder: open.reviewerName }))
  const to = (await listExamUsers(db, exam.id, level)).find(user => user.userId === input.userId && user.state === 1 && user.mayAct)
  if (!to) throw new Refused(refuseSignup('allot/not-listed', {}))
  const holder = await findHolder(db, signup.id, level)
  if (holder?.userId === to.userId) throw new Refused(refuseSignup('allot/same-holder', { name: to.name }))
  if (!covers(to, { unit: signup.unit ?? '', code: signup.code ?? '' })) throw new Refused(refuseSignup('allot/outside', { name: to.name }))
  const conflict = await conflictOf(db, { examId: exam.id, reviewerId: to.userId, signupId: signup.id })
  if (conflict) throw new Refused(refuseSignup('allot/conflict', { name: to.name, why: conflictWords[conflict] }))
  if (level === 2 && signup.reviewer1Id === to.userId && !exam.allowSameReviewer)
    throw new Refused(refuseSignup('allot/same-reviewer', { name: to.name }))
  const waiting = (await countWaiting(db, exam.id, level, [])).get(to.userId) ?? 0
  if (to.quota > 0 && waiting >= to.quota) throw new Refused(refuseSignup('allot/full', { name: to.name, quota: to.quota }))
  await writeAllotment(db, exam.id, level, [{ signupId: signup.id, reviewerId: to.userId, reviewerName: to.name }], input.reason)
  await audit(db, ctx, {
    action: 'signup.transferred',
    entity: 'signup',
    entityId: signup.id,
    before: { reviewerId: holder?.userId ?? null },
    after: { reviewerId: to.userId, level },
    reason: input.reason,
  })
  return { from: holder?.name ?? null, to: to.name }
}
