import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { registerGuest } from '#contract/organisation/account.routes.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { accountKey } from '#modules/auth/index.ts'
import { findOwnTenantName } from '#modules/tenancy/index.ts'
import { holdersOfMenu, insertWaitingStaff, isAccountTaken } from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'

type Input = InputOf<typeof registerGuest>
const pending = 0

/**
 * Somebody whom a provider knows asks for an account of a member of staff (S2.43, S4.06). The tenant is that of the provider's row, whatever the
 * caller says; the account waits for approval, has no role, and is tied to the person at the provider.
 *
 * Refusals: auth/tenant-mismatch, auth/bad-cipher, auth/password-mismatch, auth/password-weak with fields, auth/account-taken,
 * auth/account-pending when they have asked already, kernel/invalid-input with fields.
 */
export const registerGuestAccount = async (deps: OrganisationDeps, ctx: Ctx, input: Input): Promise<{ userId: string; status: number }> => {
  const { guest } = ctx
  if (!guest) throw new Refused(refuse('kernel/forbidden', {}))
  if (input.tenantId !== undefined && input.tenantId !== guest.tenantId) throw new Refused(refuseAuth('auth/tenant-mismatch', {}))
  if (input.oauthId !== undefined && input.oauthId !== guest.socialId) throw new Refused(refuse('kernel/not-found', {}))
  const because = 'a guest asks for an account'
  const [password, again] = await ctx.asSystem(because, async db => [
    await deps.auth.openSecret(db, input.password),
    input.password2 === undefined ? undefined : await deps.auth.openSecret(db, input.password2),
  ])
  if (again !== undefined && again !== password) throw new Refused(refuseAuth('auth/password-mismatch', {}))
  const { realName, passwordHash } = await checkedApplicant(deps, ctx, { ...input, password: password ?? '' })

  return ctx.asSystem(because, async db => {
    const key = accountKey(input.account)
    if (await isAccountTaken(db, key)) throw new Refused(refuseAuth('auth/account-taken', {}))
    const id = await insertWaitingStaff(db, {
      account: input.account,
      accountKey: key,
      passwordHash,
      realName,
      status: pending,
    })
    if (!(await deps.auth.bindGuest(db, guest, id))) throw new Refused(refuseAuth('auth/account-pending', {}))
    await audit(db, ctx, { action: 'account.guest-registered', entity: 'account', entityId: id, after: { account: input.account } })
    await tellAuditors(deps, db, id, input.account)
    return { userId: id, status: pending }
  })
}

/** Name and password of somebody who asks for an account, judged like those of any member of staff. */
export const checkedApplicant = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  given: { readonly account: string; readonly name: string; readonly password: string },
): Promise<{ readonly realName: string; readonly passwordHash: string }> => {
  const name = checkName(given.name)
  if (!name.ok) throw new Refused(refuseField('name', nameMessages[name.problem]))
  const tenantName = await ctx.asSystem('somebody asks for an account', findOwnTenantName)
  const policy = passwordPolicyOf('staff')
  const facts = { password: given.password, ownWords: [given.account, name.name, tenantName], isCommon: deps.isCommonPassword }
  const [problem] = checkPassword(facts, policy)
  if (problem) throw new Refused(refuseField('password', passwordMessage(problem, policy)))
  return { realName: name.name, passwordHash: await deps.services.passwords.hash(given.password) }
}

/** Whoever may decide learns that somebody waits. */
export const tellAuditors = async (deps: OrganisationDeps, db: TenantDb, userId: string, account: string): Promise<void> => {
  for (const auditor of await holdersOfMenu(db, 'user_audit'))
    await deps.message.notify(db, {
      userId: auditor,
      examId: null,
      kind: 7,
      title: { zh: '有新的账号注册申请', en: 'Somebody asks for an account' },
      content: { zh: `账号 ${account} 等待审核。`, en: `The account ${account} is waiting for approval.` },
      link: '/system/user?status=0',
      eventKey: `account-pending-${userId}`,
    })
}
