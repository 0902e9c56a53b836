-- Finance sees on a due which refund waits for a second person, why, and which one the bank could not carry out (domain 8.5).
-- lock: short (a small partial index, a view with three more columns); compatible: yes

create index pay_refund_unsettled_ix on pay_refund (tenant_id, pay_id) where state in ('requested', 'abnormal');

-- As in 0231, with the refunds that wait for people. They are looked up only where a reader asks for them.
create or replace view exam_pay_row with (security_invoker = true) as
select p.tenant_id, p.id, p.exam_id, e.exam_name, p.item_id, i.item_name, p.signup_id, s.sign_no, s.name, right(s.id_card_mask, 4) as id_card_tail,
  s.unit, s.code, p.pay_kind, p.pay_name, p.amount_fen as amount, p.paid_fen as paid_amount, p.refunded_fen as refund_amount,
  array_position(array['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'], p.state::text) - 1 as state,
  p.deadline, p.paid_time, array_position(array['wechat', 'bankTransfer', 'cash', 'unit'], p.pay_way::text) as pay_way,
  o.order_no, p.voucher_no, p.is_invoice, p.invoice_title, p.invoice_no, p.source, p.remark,
  p.is_deleted, p.created_at, p.updated_at, p.version, p.created_by,
  (select r.amount_fen from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_amount,
  (select coalesce(case when r.reason = 'other' then r.remark end, r.reason) from pay_refund r
    where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_reason,
  (select r.amount_fen from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'abnormal' order by r.id limit 1)
    as failed_amount
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;

-- verify: select 1 / (select count(*) from pg_attribute where attrelid = 'exam_pay_row'::regclass and attname = 'failed_amount')
