import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { revealSignup } from '#contract/signup/examine.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { signupNoun } from '#contract/signup/signup.noun.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { openContent } from '../content-vault.ts'
import { countRevealed, insertReveal } from '../data/reveal.repo.ts'
import { findSignup } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { numbersOf } from './parameters.ts'
import { mayRead } from './review-scope.ts'
import { maySee } from './visibility.ts'

const hourMs = 3_600_000

/**
 * Shows one full id number or phone and keeps who looked and why (domain P6, scenario 22). Beyond `reveal.perHour` nothing is shown; the
 * first refusal of the hour is an audit line of its own, which is what the auditor's alarm reads.
 */
export const reveal = (
  deps: SignupContext,
  ctx: Ctx,
  session: Session,
  input: InputOf<typeof revealSignup>,
): Promise<{ value: string } | Refusal> =>
  ctx.tx(async db => {
    const untold = refuseUntold(ctx, [markOf(signupNoun, input.field)])
    if (untold) return untold
    const signup = await findSignup(db, input.id)
    if (!signup || !maySee(session, signup)) return refuse('kernel/not-found', {})
    if (!(await mayRead(db, session, signup.id))) return refuse('kernel/not-found', {})
    const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: signup.id } as const
    const value = openContent(deps.services.cipher, place, signup.content)[input.field]
    if (typeof value !== 'string' || value === '') return refuse('kernel/not-found', {})
    await lock(db, `reveal|${session.userId}`)
    const { 'reveal.perHour': limit } = await numbersOf(db, ['reveal.perHour'])
    const { seen, blocked, oldest } = await countRevealed(db, session.userId, new Date(db.now.getTime() - hourMs))
    const isBlocked = seen >= limit
    if (!isBlocked || blocked === 0) {
      await insertReveal(db, {
        viewerId: session.userId,
        viewerName: session.realName,
        signupId: signup.id,
        ownerId: signup.userId,
        field: input.field,
        purpose: input.purpose,
        isBlocked,
      })
      await audit(db, ctx, {
        action: isBlocked ? 'signup.reveal-blocked' : 'signup.revealed',
        entity: 'signup',
        entityId: signup.id,
        after: { field: input.field, purpose: input.purpose, ...(isBlocked ? { limit } : {}) },
      })
    }
    if (!isBlocked) return { value }
    const waitMs = oldest === null ? hourMs : oldest.getTime() + hourMs - db.now.getTime()
    return refuseSignup('signup/reveal-limit', { limit }, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
  })
