import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { userScope } from '#modules/access/index.ts'
import { lockTargets } from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { refuseFull } from './staff-quota.ts'

/**
 * Decides registrations that wait (S4.06, domain 4.9). All or none: an id that is not there or not waiting refuses the whole batch.
 * Whoever is refused may ask again; the tie to the provider is cut for that.
 */
export const auditRegistrations = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  event: 'pass' | 'refuse',
  input: { readonly userIds?: string; readonly ids?: string; readonly reason?: string },
): Promise<{ changed: number } | Refusal> => {
  const ids = idsOf(input.userIds, input.ids)
  if (ids.length === 0) return refuse('kernel/select-one', {})
  const rows = await lockTargets(db, ids, userScope(ctx.session))
  if (rows.length !== ids.length) return refuse('kernel/not-found', {})
  if (rows.some(row => row.status !== accountMachine.wire.pending)) return refuseAuth('auth/not-pending', {})
  const full = event === 'pass' ? await refuseFull(db, rows.filter(row => row.userType === 1).length) : undefined
  if (full) return full
  const to = accountMachine.wire[step(accountMachine, 'pending', event) ?? 'pending']
  for (const row of rows) {
    if (!(await transition(db, 'account', row.id, { from: '0', to: String(to), column: 'status' })))
      return refuseAuth('auth/not-pending', {})
    if (event === 'refuse') await deps.auth.unbindSocialOf(db, row.id)
    await audit(db, ctx, {
      action: event === 'pass' ? 'account.audit-passed' : 'account.audit-refused',
      entity: 'account',
      entityId: row.id,
      before: { status: row.status },
      after: { status: to, account: row.account },
      ...(input.reason ? { reason: input.reason } : {}),
    })
    await deps.message.notify(db, {
      userId: row.id,
      examId: null,
      kind: 7,
      title:
        event === 'pass'
          ? { zh: '账号已通过审核', en: 'Your account was approved' }
          : { zh: '账号未通过审核', en: 'Your account was refused' },
      content: { zh: input.reason ?? '', en: input.reason ?? '' },
      link: '',
      eventKey: `account-${event}-${row.id}`,
    })
    if (event === 'pass') await deps.message.sendSmsTo(db, { userId: row.id, examId: null }, 'account-approved', { account: row.account })
    else
      await deps.message.sendSmsTo(db, { userId: row.id, examId: null }, 'account-refused', {
        account: row.account,
        reason: input.reason ?? '请联系管理员',
      })
  }
  return { changed: rows.length }
}
