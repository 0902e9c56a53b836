import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { refuseField } from '#contract/kernel/errors.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import type { resetBySms as resetRoute } from '#contract/organisation/account.routes.ts'
import { foldIdCard } from '#contract/person/id-card.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { documentKeysOf, numberProblem } from '#contract/person/passport.ts'
import { audit } from '#kernel/audit.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { setOwnPassword } from '../data/profile.repo.ts'
import type { OrganisationDeps } from '../deps.ts'

const because = 'a candidate who forgot the password proves who they are'

/**
 * Another password for a candidate who forgot theirs: by the code sent to the phone and the id number, both counted as in a login. All
 * sessions end, and the person is told.
 *
 * Refusals: auth/tenant-expired, auth/bad-cipher, kernel/invalid-input with fields, auth/password-mismatch, auth/invalid-sms-code,
 * auth/sms-code-over, auth/account-locked, auth/not-yours, auth/account-held and the like.
 */
export const resetBySms = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  input: InputOf<typeof resetRoute>,
): Promise<{ account: string } | Refusal> => {
  const { cipher, passwords } = deps.services
  if (!(await ctx.asSystem(because, deps.auth.isTenantLive))) return refuseAuth('auth/tenant-expired', {})
  const opened = await ctx.asSystem(because, async db => ({
    phone: await deps.auth.openText(db, input.phone),
    idCard: await deps.auth.openText(db, input.idCard),
    next: await deps.auth.openSecret(db, input.password),
    again: await deps.auth.openSecret(db, input.password2),
  }))
  const phone = checkMobile(opened.phone)
  if (!phone.ok) return refuseField('phone', mobileMessages[phone.problem])
  const today = toWireDay(ctx.arrivedAt)
  // Of a passport nobody says the country here: phone and number are proof enough.
  const keys = documentKeysOf(opened.idCard, today)
  const wrong = keys.length === 0 ? numberProblem({ idCard: opened.idCard }, today) : undefined
  if (wrong) return refuseField('idCard', wrong)
  const policy = passwordPolicyOf('candidate')
  const ownWords = [phone.mobile, foldIdCard(opened.idCard)]
  const [weak] = checkPassword({ password: opened.next, ownWords, isCommon: deps.isCommonPassword }, policy)
  if (weak) return refuseField('password', passwordMessage(weak, policy))
  if (opened.next !== opened.again) return refuseAuth('auth/password-mismatch', {})

  const checked = await deps.auth.checkForgetful(ctx, {
    key: input.smsId,
    answer: input.smsCode,
    phoneIndex: cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile),
    phoneMask: maskPhone(phone.mobile),
    idCardIndexes: keys.map(one => cipher.blindIndex(ctx.tenantId, 'id-card', one)),
  })
  if (checked.verdict === 'locked') return refuseAuth('auth/account-locked', { minutes: checked.minutes })
  if (checked.verdict === 'wrong' || !checked.account) return refuseAuth('auth/not-yours', {})
  const { id, account, status } = checked.account
  // Whoever has proven who they are is told how it stands with their account.
  if (status === 0) return refuseAuth('auth/account-pending', {})
  if (status !== 1) return refuseAuth(status === 4 ? 'auth/account-held' : 'auth/account-disabled', {})
  const hash = await passwords.hash(opened.next)
  return ctx.asSystem(because, async db => {
    await setOwnPassword(db, id, hash)
    await deps.auth.endSessionsOf(db, id, 'password-reset')
    await deps.message.notify(db, {
      userId: id,
      examId: null,
      kind: 7,
      title: { zh: '登录密码已重设', en: 'Your password was reset' },
      content: {
        zh: '通过短信验证码和证件号码重设了登录密码，其他登录已退出。如果不是您本人操作，请立即联系我们。',
        en: 'Your password was reset by SMS code and id number, and all logins were ended. If this was not you, contact us at once.',
      },
      link: '/info/index',
      eventKey: `password-reset-${ctx.traceId}`,
    })
    await audit(db, ctx, { action: 'account.password-reset-by-owner', entity: 'account', entityId: id })
    return { account }
  })
}
