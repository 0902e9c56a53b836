import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A due whose sums are not those of its lines, or an order or a line that stands alone. */
export interface BrokenLine {
  readonly kind: 'due' | 'order' | 'line'
  /** The due, the order's number, or the line's evidence. */
  readonly name: string
  readonly signNo: string
  readonly storedFen: number
  readonly linesFen: number
  readonly storedBackFen: number
  readonly linesBackFen: number
}

/**
 * What of the ledger does not agree with the dues and orders it is about: each due’s sums against its lines, orders paid as they should be without any line, and
 * lines that name no due. At most `limit` of them, the oldest first.
 */
export const listBroken = (db: TenantDb, limit: number): Promise<BrokenLine[]> =>
  db.all(sql<BrokenLine>`
    with sums as (
      select pay_id, sum(amount_fen) filter (where kind in ('pay', 'adjust')) as paid, -sum(amount_fen) filter (where kind = 'refund') as back
      from pay_ledger where pay_id is not null group by pay_id),
    broken as (
      select 1 as place, p.id, 'due' as kind, p.id::text as name, coalesce(s.sign_no, '') as sign_no, p.paid_fen::bigint as stored, coalesce(l.paid, 0) as lines,
        p.refunded_fen::bigint as stored_back, coalesce(l.back, 0) as lines_back
      from exam_pay p left join sums l on l.pay_id = p.id left join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
      where p.paid_fen <> coalesce(l.paid, 0) or p.refunded_fen <> coalesce(l.back, 0)
      union all
      select 2, o.id, 'order', o.order_no, '', o.paid_fen::bigint, 0, 0, 0
      from pay_order o where o.paid_fen is not null and o.exception is null and not exists (select 1 from pay_ledger l where l.tenant_id = o.tenant_id and l.order_id = o.id)
      union all
      select 3, l.id, 'line', l.evidence, '', 0, l.amount_fen::bigint, 0, 0
      from pay_ledger l where l.pay_id is not null and not exists (select 1 from exam_pay p where p.tenant_id = l.tenant_id and p.id = l.pay_id))
    select kind, name, sign_no as "signNo", stored::int as "storedFen", lines::int as "linesFen", stored_back::int as "storedBackFen", lines_back::int as "linesBackFen"
    from broken order by place, id limit ${limit}`)

export const countDues = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from exam_pay`)).n
