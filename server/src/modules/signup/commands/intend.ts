import { refuse } from '#contract/kernel/errors.ts'
import { label } from '#contract/kernel/label.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { lateFilesMs } from '#contract/signup/draft-merge.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { countIntents, keepIntent } from '../data/signup.repo.ts'
import { isWithin } from '../domain/windows.ts'

/** More forms than somebody confirms who changes their mind again and again. */
const mostIntents = 50

/**
 * Notes that a form was ready before its window ends. Nothing is signed up by it: the same form with its files has to follow until ten minutes after the end.
 *
 * Refusals: kernel/not-found, signup/outside-window, kernel/too-many.
 */
export const intend = async (ctx: Ctx, db: TenantDb, { examId, digest }: { examId: string; digest: string }) => {
  const { userId } = sessionOf(ctx)
  const exam = await findExam(db, examId)
  if (exam?.state !== 'released') throw new Refused(refuse('kernel/not-found', {}))
  const { signBegin, signEnd } = exam
  if (signBegin === null || signEnd === null || !isWithin(ctx.arrivedAt, signBegin, signEnd))
    throw new Refused(
      refuseSignup('signup/outside-window', {
        what: label('报名', 'sign-up'),
        from: signBegin ? toWireTime(signBegin) : '-',
        to: signEnd ? toWireEnd(signEnd) : '-',
      }),
    )
  if ((await countIntents(db, examId, userId)) >= mostIntents) throw new Refused(refuse('kernel/too-many', { limit: mostIntents }))
  const at = await keepIntent(db, examId, userId, digest)
  await audit(db, ctx, { action: 'signup.intended', entity: 'examination', entityId: examId, after: { digest } })
  return { receivedAt: toWireTime(at), until: toWireTime(new Date(signEnd.getTime() + lateFilesMs)) }
}
