import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { updatePassword } from '#contract/organisation/account.routes.ts'
import { audit } from '#kernel/audit.ts'
import { tellSession } from '#kernel/db/changes.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { setOwnPassword } from '../data/profile.repo.ts'
import type { OrganisationDeps } from '../deps.ts'

const weak = (ctx: Ctx, text: Label): Refusal => ({
  ...refuseAuth('auth/password-weak', { detail: '' }),
  text,
  data: { fields: [{ field: 'newPassword', msg: ctx.say(text) }] },
})
const unchanged: Label = { zh: '新密码不能与原密码相同', en: 'The new password must differ from the current one' }

/**
 * The caller's own password (S3.09): three sealed fields, the policy of decision 4.7, the old one counted like a login and not asked for while a
 * login by SMS code is fresh. The session that asked stays, all others of the person end.
 *
 * Refusals: auth/bad-cipher, auth/password-mismatch, auth/password-weak with fields, auth/wrong-password, auth/account-locked.
 */
export const changePassword = async (deps: OrganisationDeps, ctx: Ctx, input: InputOf<typeof updatePassword>): Promise<Refusal | null> => {
  const { session } = ctx
  if (!session) return refuseAuth('auth/wrong-password', {})
  const because = 'the caller’s own password'
  const opened = await ctx.asSystem(because, async db => ({
    old: input.oldPassword ? await deps.auth.openSecret(db, input.oldPassword) : '',
    next: await deps.auth.openSecret(db, input.newPassword),
    again: await deps.auth.openSecret(db, input.newPassword1),
  }))
  if (opened.next !== opened.again) return refuseAuth('auth/password-mismatch', {})
  const words = await ctx.asSystem(because, db => deps.wordsOf(db, session.userId))
  const policy = passwordPolicyOf(session.userType === 2 ? 'candidate' : 'staff')
  const [problem] = checkPassword({ password: opened.next, ownWords: words, isCommon: deps.isCommonPassword }, policy)
  if (problem) return weak(ctx, passwordMessage(problem, policy))
  const checked = await deps.auth.checkOwner(ctx, session, opened.old)
  if (checked.verdict === 'locked') return refuseAuth('auth/account-locked', { minutes: checked.minutes })
  if (checked.verdict === 'wrong') return refuseAuth('auth/wrong-password', {})
  if (opened.next === opened.old) return weak(ctx, unchanged)
  const hash = await deps.services.passwords.hash(opened.next)
  await ctx.asSystem(because, async db => {
    await setOwnPassword(db, session.userId, hash)
    await deps.auth.endSessionsOf(db, session.userId, 'password-changed', session.id)
    // The session that stays is read anew everywhere: a one-time password no longer holds it back.
    await tellSession(db, session.id)
    db.afterCommit(() => deps.auth.cache.drop(session.id))
    await audit(db, ctx, { action: 'account.password-changed', entity: 'account', entityId: session.userId })
  })
  return null
}
