import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import {
  auditPass,
  auditRefuse,
  register,
  registerGuest,
  resetBySms as resetBySmsRoute,
  updateInfo,
  updatePassword,
  userSelf,
  userUpdate,
} from '#contract/organisation/account.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { auditRegistrations } from './commands/audit-registration.ts'
import { changePassword } from './commands/change-password.ts'
import { registerCandidate } from './commands/register-candidate.ts'
import { registerGuestAccount } from './commands/register-guest.ts'
import { resetBySms } from './commands/reset-by-sms.ts'
import { updateOwnInfo } from './commands/update-own-info.ts'
import { findUser } from './data/user.repo.ts'
import type { OrganisationDeps } from './deps.ts'
import { presentUser } from './user.http.ts'

const user = async (deps: OrganisationDeps, ctx: Ctx, db: TenantDb, id: string) => {
  const row = await findUser(db, id)
  return row ? presentUser(deps, ctx, row) : refuse('kernel/not-found', {})
}

/** One's own account, and how accounts begin. */
export const accountHandlers = (deps: OrganisationDeps): Handler[] => [
  handle(userSelf, async ({ ctx, db }) => {
    const session = sessionOf(ctx)
    const passwordAsked = await ctx.asSystem('how the caller has logged in', system => deps.auth.isPasswordAsked(system, session))
    return { ...(await user(deps, ctx, db, session.userId)), passwordAsked }
  }),
  handle(register, ({ ctx, input }) => registerCandidate(deps, ctx, input)),
  handle(resetBySmsRoute, ({ ctx, input }) => resetBySms(deps, ctx, input)),
  handle(updatePassword, ({ ctx, input }) => changePassword(deps, ctx, input)),
  handle(registerGuest, ({ ctx, input }) => registerGuestAccount(deps, ctx, input)),
  handle(auditPass, ({ ctx, db, input }) => auditRegistrations(deps, ctx, db, 'pass', input)),
  handle(auditRefuse, ({ ctx, db, input }) => auditRegistrations(deps, ctx, db, 'refuse', input)),
  handle(userUpdate, async ({ ctx, input }) => {
    const avatar = ctx.files.length === 0 ? input.avatar : await deps.files.receiveAvatar(ctx, userUpdate.path)
    if (isRefusal(avatar)) return avatar
    await updateOwnInfo(deps, ctx, { ...input, ...(avatar === undefined ? {} : { avatar }) })
    return ctx.tx(db => user(deps, ctx, db, sessionOf(ctx).userId))
  }),
  handle(updateInfo, async ({ ctx, input }) => {
    await updateOwnInfo(deps, ctx, input)
    return ctx.tx(db => user(deps, ctx, db, sessionOf(ctx).userId))
  }),
]
