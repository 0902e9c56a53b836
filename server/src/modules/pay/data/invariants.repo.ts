import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

/** A sum of fen as yuan. */
const yuan = (fen: string) => sql.raw(`to_char(coalesce(${fen}, 0) / 100.0, 'FM999999990.00')`)
const dues = '/exam/examination/{exam}/fees'

/** What is kept of money beside the lines of the ledger. Nothing here heals itself but the mirror: what money is there is for people to say. */
export const payInvariants = (mirror: (db: TenantDb, signupId: string) => Promise<PayState>): readonly Invariant[] => [
  {
    name: 'pay.ledger',
    label: { zh: '已缴、已退与账本一致', en: 'Paid and refunded sums agree with the ledger' },
    means: {
      zh: '应缴记录的金额与账本不符，对账和退费会算错。',
      en: 'A due counts other sums than its lines: reconciliation and refunds go wrong.',
    },
    watches: ['exam_pay.paid_fen', 'exam_pay.refunded_fen'],
    page: dues,
    by: 'exam',
    broken: ({ examId }) => sql`
      select p.id, p.pay_name || ' ' || p.id as name, ${yuan('p.paid_fen')} || ' / ' || ${yuan('p.refunded_fen')} as found,
        ${yuan('l.paid')} || ' / ' || ${yuan('l.back')} as expected
      from exam_pay p left join (
        select l.tenant_id, l.pay_id, sum(l.amount_fen) filter (where l.kind in ('pay', 'adjust')) as paid, -sum(l.amount_fen) filter (where l.kind = 'refund') as back
        from pay_ledger l join exam_pay q on q.tenant_id = l.tenant_id and q.id = l.pay_id where q.exam_id = ${examId} group by 1, 2) l
        on l.tenant_id = p.tenant_id and l.pay_id = p.id
      where p.exam_id = ${examId} and (p.paid_fen <> coalesce(l.paid, 0) or p.refunded_fen <> coalesce(l.back, 0))`,
  },
  {
    name: 'pay.lines',
    label: { zh: '订单与账本互相对应', en: 'Orders and lines of the ledger belong together' },
    means: { zh: '收到的钱没有记账，或账本记录找不到应缴。', en: 'Money that came has no line, or a line is of no due.' },
    watches: ['pay_order.paid_fen', 'pay_ledger'],
    page: '/pay/payOrder',
    by: 'tenant',
    broken: () => sql`
      select o.id, o.order_no as name, ${yuan('o.paid_fen')} as found, ${yuan('0')} as expected from pay_order o
        where o.paid_fen is not null and o.exception is null and not exists (select 1 from pay_ledger l where l.tenant_id = o.tenant_id and l.order_id = o.id)
      union all
      select l.id, l.evidence, ${yuan('l.amount_fen')}, ${yuan('0')} from pay_ledger l
        where l.pay_id is not null and not exists (select 1 from exam_pay p where p.tenant_id = l.tenant_id and p.id = l.pay_id)`,
  },
  {
    name: 'pay.due-states',
    label: { zh: '应缴状态与金额一致', en: 'Dues in states that can be' },
    means: {
      zh: '状态与金额矛盾：已缴而无钱，待缴而有钱，已退而未退清。',
      en: 'A state that contradicts its sums: paid without money, due with money, refunded without it all gone back.',
    },
    watches: ['exam_pay.state'],
    page: dues,
    by: 'exam',
    broken: ({ examId }) => sql`
      select id, pay_name || ' ' || id as name, state as found, ${yuan('paid_fen')} || ' / ' || ${yuan('refunded_fen')} as expected from exam_pay
      where exam_id = ${examId} and not is_deleted and not is_waived
        and (state = 'paid' and paid_fen <= refunded_fen or state in ('due', 'overdue', 'void') and paid_fen > refunded_fen or state = 'refunded' and paid_fen <> refunded_fen)`,
  },
  {
    name: 'pay.mirror',
    label: { zh: '报名的缴费状态', en: 'Payment state of sign-ups' },
    means: {
      zh: '缴费状态与应缴不符，考生可能拿不到座位，或未缴费却得到座位。',
      en: 'A sign-up that paid may get no seat, or one that did not may get one.',
    },
    watches: ['signup.pay_state'],
    page: '/exam/examination/{exam}/signups',
    by: 'exam',
    broken: ({ examId }) => sql`
      select s.id, coalesce(s.sign_no, s.id::text) as name, s.pay_state as found, d.state as expected
      from signup s left join (
        select signup_id, case min(case state when 'due' then 1 when 'overdue' then 2 when 'refunding' then 3 when 'paid' then 4 when 'refunded' then 5 else 6 end)
          when 1 then 'due' when 2 then 'overdue' when 3 then 'refunding' when 4 then 'paid' when 5 then 'refunded' else 'none' end as state
        from exam_pay where exam_id = ${examId} and not is_deleted group by signup_id) d on d.signup_id = s.id
      where s.exam_id = ${examId} and not s.is_deleted and s.pay_state <> coalesce(d.state, 'none')`,
    healer: {
      label: { zh: '按应缴重新得出', en: 'Derive it from the dues anew' },
      heal: async (db, id) => {
        await db.run(sql`select 1 from signup where id = ${id} for update`)
        await mirror(db, id)
      },
    },
  },
  {
    name: 'pay.refunds',
    label: { zh: '退费与账本一致', en: 'Refunds agree with the ledger' },
    means: { zh: '退费成功却没有记账，或退了比收到的更多。', en: 'A refund succeeded without its line.' },
    watches: ['pay_refund.state'],
    page: '/pay/payRefund',
    by: 'tenant',
    broken: () => sql`
      select r.id, r.refund_no as name, r.state as found, ${yuan('r.amount_fen')} as expected from pay_refund r
      where r.state = 'succeeded' and r.pay_id is not null and not exists (select 1 from pay_ledger l where l.tenant_id = r.tenant_id and l.refund_id = r.id)`,
  },
  {
    name: 'pay.batches',
    label: { zh: '批量入账的合计', en: 'Totals of payments entered by hand' },
    means: { zh: '批次合计与明细不符。', en: 'A batch counts other rows or sums than it has.' },
    watches: ['pay_record_main.total', 'pay_record_main.amount_fen'],
    page: '/pay/payrecordmain',
    by: 'tenant',
    broken: () => sql`
      select m.id, m.batch_name as name, m.total || ' / ' || ${yuan('m.amount_fen')} as found, coalesce(r.n, 0) || ' / ' || ${yuan('r.fen')} as expected
      from pay_record_main m left join (select tenant_id, main_id, count(*) as n, sum(amount_fen) as fen from pay_record group by 1, 2) r
        on r.tenant_id = m.tenant_id and r.main_id = m.id
      where not m.is_deleted and (m.total <> coalesce(r.n, 0) or m.amount_fen <> coalesce(r.fen, 0))`,
  },
  {
    name: 'pay.reconciliations',
    label: { zh: '对账差异计数', en: 'Counts of differences' },
    means: {
      zh: '对账单显示的未处理差异与明细不符，可能有差异被漏看。',
      en: 'A statement shows another number of open differences than it has: one may be overlooked.',
    },
    watches: ['pay_bill.found_count', 'pay_bill.open_count'],
    page: '/pay/reconciliation',
    by: 'tenant',
    broken: () => sql`
      select b.id, b.bill_date || ' ' || b.channel as name, b.open_count as found, coalesce(d.n, 0) as expected
      from pay_bill b left join (select tenant_id, bill_id, count(*) filter (where not handled) as n from pay_bill_difference where not is_deleted group by 1, 2) d
        on d.tenant_id = b.tenant_id and d.bill_id = b.id
      where b.open_count <> coalesce(d.n, 0)`,
  },
]
