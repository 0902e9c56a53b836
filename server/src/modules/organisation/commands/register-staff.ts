import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { refuseField } from '#contract/kernel/errors.ts'
import { isEmail } from '#contract/person/email.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { passAlone } from '#kernel/two-persons.ts'
import { accountKey, type StaffApplicant } from '#modules/auth/index.ts'
import { countWaitingStaff, insertWaitingStaff, isAccountTaken, updateAccount } from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { phoneColumns } from './account-change.ts'
import { checkedApplicant, tellAuditors } from './register-guest.ts'

const pending = 0
/** As many may wait at once: whoever solves captchas must not fill the tenant with accounts that nobody wants. */
const mostWaiting = 200
const because = 'somebody without an account asks for one'
const accountName = /^[A-Za-z0-9_.@-]{4,60}$/

/**
 * Somebody asks for an account of a member of staff by the grant `register`, where the tenant has opened it (decision 3.12). It waits for approval,
 * has no role, and its phone opens nothing before its owner has proven it.
 *
 * Refusals: auth/bad-cipher, auth/registrations-full, auth/account-taken, kernel/invalid-input with fields.
 */
export const registerStaff = async (deps: OrganisationDeps, ctx: Ctx, given: StaffApplicant): Promise<void> => {
  const { account, email } = given
  const [password, rawPhone] = await ctx.asSystem(because, async db => [
    await deps.auth.openSecret(db, given.password),
    given.phone === undefined ? undefined : await deps.auth.openText(db, given.phone),
  ])
  if (!accountName.test(account))
    throw new Refused(
      refuseField('account', { zh: '账号为 4 至 60 位字母、数字或 _ . @ -', en: 'An account has 4 to 60 letters, digits or _ . @ -' }),
    )
  const phone = rawPhone === undefined ? undefined : checkMobile(rawPhone)
  if (phone && !phone.ok) throw new Refused(refuseField('phone', mobileMessages[phone.problem]))
  if (email !== undefined && !isEmail(email))
    throw new Refused(refuseField('email', { zh: '邮箱格式不正确', en: 'The e-mail address has the wrong format' }))
  const { realName, passwordHash } = await checkedApplicant(deps, ctx, { account, name: given.name, password: password ?? '' })
  await ctx.asSystem(because, async db => {
    // Those who come together are counted one after another, or all of them would see room for one more.
    await lock(db, 'staff-registration')
    if ((await countWaitingStaff(db)) >= mostWaiting)
      throw new Refused(refuseAuth('auth/registrations-full', {}, { retryAfterSeconds: 3_600 }))
    const key = accountKey(account)
    if (await isAccountTaken(db, key)) throw new Refused(refuseAuth('auth/account-taken', {}))
    const id = await insertWaitingStaff(db, { account, accountKey: key, passwordHash, realName, status: pending })
    if (phone || email !== undefined) passAlone(db, 'accountChange', 'own')
    await updateAccount(db, id, { ...(email === undefined ? {} : { email }), ...phoneColumns(deps, ctx.tenantId, id, phone?.mobile) })
    await audit(db, ctx, { action: 'account.self-registered', entity: 'account', entityId: id, after: { account } })
    await tellAuditors(deps, db, id, account)
  })
}
