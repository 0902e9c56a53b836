import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { disqualificationMachine, restorationMachine } from '#contract/selection/selection.state.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam } from '#modules/exam/index.ts'
import { daysToAnswer } from '#modules/signup/index.ts'
import { type DisqualificationRow, listDisqualifications } from '../data/disqualification.repo.ts'
import { findHolder, type Holder, lockHolder } from '../data/person.repo.ts'
import { listRestorations } from '../data/restoration.repo.ts'
import { listMovedUp } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { disqualifyBar } from './disqualify-bar.ts'
import { lockSelection } from './fill.ts'
import { heardIn } from './heard.ts'
import { mayReach } from './scope.ts'

/** Page of one sign-up, where proposals about its qualification are decided on. */
export const signupPage = (signupId: string): string => `/examine/signup/${signupId}`

/** The sign-up held and its examination, where its qualification can be changed at all. */
export const holdSignup = async (ctx: Ctx, db: TenantDb, signupId: string): Promise<{ person: Holder; exam: ExamRow }> => {
  const seen = await findHolder(db, signupId)
  if (!seen || !mayReach(sessionOf(ctx), seen)) throw new Refused(refuse('kernel/not-found', {}))
  await lockSelection(db, seen.examId)
  const person = await lockHolder(db, signupId)
  const exam = await findExam(db, seen.examId)
  if (!person || !exam) throw new Refused(refuse('kernel/not-found', {}))
  if (exam.state !== 'released') throw new Refused(refuseSignup('signup/exam-not-open', {}))
  return { person, exam }
}

/** What was proposed about the qualification of one sign-up, and what became of it. */
export const readStanding = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, signupId: string) => {
  const seen = await findHolder(db, signupId)
  if (!seen || !mayReach(sessionOf(ctx), seen)) return refuse('kernel/not-found', {})
  const shared = (one: {
    readonly id: string
    readonly reason: string
    readonly byName: string
    readonly createdAt: Date
    readonly decision: string | null
    readonly decidedName: string | null
    readonly decidedAt: Date | null
  }) => ({
    ...{ id: one.id, reason: one.reason, byName: one.byName, time: toWireTime(one.createdAt) },
    ...{ decision: one.decision, decidedName: one.decidedName, decidedTime: one.decidedAt && toWireTime(one.decidedAt) },
  })
  const barSaid = async (one: DisqualificationRow) => {
    const bar = await disqualifyBar(kit, ctx, db, one, seen)
    return bar === undefined ? null : ctx.say(bar.text)
  }
  return {
    disqualifications: await Promise.all(
      (await listDisqualifications(db, signupId)).map(async one => ({
        ...shared(one),
        ...{
          state: disqualificationMachine.wire[one.state],
          answerUntil: toWireTime((await daysToAnswer(kit, db, 'selection_disqualification', one)).until),
        },
        toldTime: one.toldAt && toWireTime(one.toldAt),
        bar: one.state === 'proposed' ? await barSaid(one) : null,
        ...(await heardIn(kit, db, ctx, one.id)),
      })),
    ),
    movedUp: await listMovedUp(db, signupId),
    restorations: (await listRestorations(db, signupId)).map(one => ({ ...shared(one), state: restorationMachine.wire[one.state] })),
  }
}
