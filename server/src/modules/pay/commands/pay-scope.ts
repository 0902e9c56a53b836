import { examPay, payAlarm, payOrder } from '#contract/pay/pay.resources.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { countWithin } from '../data/reach.repo.ts'

const reaches = async (
  ctx: Ctx,
  db: TenantDb,
  noun: typeof examPay | typeof payOrder | typeof payAlarm,
  of: { readonly column: 'id' | 'order_no'; readonly values: readonly string[] },
): Promise<boolean> => {
  const scope = rowScopeOf(ctx.session, noun)
  if (!scope) return true
  const values = [...new Set(of.values)]
  return (await countWithin(db, noun.table, { column: of.column, values }, scope)) === values.length
}

/** Whether the caller's data scopes leave this order; what they do not is answered like what does not exist. */
export const reachesOrder = (ctx: Ctx, db: TenantDb, orderNo: string): Promise<boolean> =>
  reaches(ctx, db, payOrder, { column: 'order_no', values: [orderNo] })
/** The same of dues: all of them. */
export const reachesDues = (ctx: Ctx, db: TenantDb, ids: readonly string[]): Promise<boolean> =>
  reaches(ctx, db, examPay, { column: 'id', values: ids })
/** The same of an alarm. */
export const reachesAlarm = (ctx: Ctx, db: TenantDb, id: string): Promise<boolean> =>
  reaches(ctx, db, payAlarm, { column: 'id', values: [id] })
