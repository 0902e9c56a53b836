-- Refunds as finance lists and approves them, with each step and its time (domain 8.5).
-- lock: short (a view, an index, few rows); compatible: yes

create view pay_refund_row with (security_invoker = true) as
select r.tenant_id, r.id, r.refund_no, r.pay_id, o.order_no, p.exam_id, e.exam_name, s.sign_no, s.name, right(s.id_card_mask, 4) as id_card_tail, p.pay_name,
  r.amount_fen as amount, r.reason, coalesce(r.remark, '') as remark,
  array_position(array['requested', 'submitted', 'succeeded', 'closed', 'abnormal', 'rejected'], r.state::text) - 1 as state,
  -- 1 waits for a second person, 2 for a transfer of a second person, 3 for a transfer after the bank has failed
  case when r.state = 'requested' and not r.approved_by_rule then case when r.order_id is null then 2 else 1 end when r.state = 'abnormal' then 3 end as waits_for,
  p.is_invoice, r.created_at as apply_time, case when r.apply_by = r.user_id and not r.approved_by_rule then s.name else a.real_name end as apply_name,
  r.approve_time, b.real_name as approve_name, r.submitted_at as submit_time, r.success_time, r.provider_refund_id, r.voucher_no, r.decision_remark,
  false as is_deleted, r.created_at, r.updated_at, r.version, p.created_by
from pay_refund r
join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join pay_order o on o.tenant_id = r.tenant_id and o.id = r.order_id
left join account a on a.tenant_id = r.tenant_id and a.id = r.apply_by
left join account b on b.tenant_id = r.tenant_id and b.id = r.approve_by;
grant select on pay_refund_row to kaopu_staff, kaopu_system;
create index pay_refund_pay_ix on pay_refund (tenant_id, pay_id);

-- A difference of an order is reached with its order; one of nobody's order by whoever reconciles.
select narrow_with_exam('pay_bill_difference', '(select app_departments()) is null or order_id is null or app_reaches_order(order_id)');

-- Bills that were read before both books were kept: what was not known is now, so our sums were those of the bill.
update pay_bill set pay_count = row_count, our_count = row_count, our_fen = amount_fen, our_refund_fen = refund_fen
  where state = 1 and our_count = 0 and row_count > 0;

-- verify: select 1 / (select count(*) from pg_views where viewname = 'pay_refund_row')
