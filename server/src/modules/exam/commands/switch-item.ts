import { item } from '#contract/exam/exam.resources.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { lockItem, setItemStatus } from '../data/library.repo.ts'

/** Offers a field of the library to new forms (1), or no longer (0); forms that have it keep it. */
export const switchItem = async (
  ctx: Ctx,
  db: TenantDb,
  input: { readonly id: string; readonly status: number },
): Promise<{ id: string; status: number } | Refusal> => {
  const before = await lockItem(db, input.id, rowScopeOf(ctx.session, item))
  if (!before) return refuse('kernel/not-found', {})
  await setItemStatus(db, input.id, input.status)
  await audit(db, ctx, { action: 'item.status-changed', entity: 'item', entityId: input.id, before, after: { status: input.status } })
  return { id: input.id, status: input.status }
}
