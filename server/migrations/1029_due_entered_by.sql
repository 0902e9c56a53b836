-- A due says for whom a receipt is made out for tax, and who entered a payment that came by hand, when.
-- lock: short (one view); compatible: yes

-- As in 0995, with three more columns.
create or replace view exam_pay_row with (security_invoker = true) as
select p.tenant_id, p.id, p.exam_id, e.exam_name, p.item_id, i.item_name, p.signup_id, s.sign_no, s.name, right(s.id_card_mask, 4) as id_card_tail,
  s.unit, s.code, p.pay_kind, p.pay_name, p.amount_fen as amount, p.paid_fen as paid_amount, p.refunded_fen as refund_amount,
  array_position(array['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'], p.state::text) - 1 as state,
  due_until(p.own_deadline, p.deadline, p.grace_until, e.pay_end) as deadline, p.paid_time, array_position(array['wechat', 'bankTransfer', 'cash', 'unit', 'alipay', 'nontax'], p.pay_way::text) as pay_way,
  o.order_no, p.voucher_no, p.is_invoice, p.invoice_title, p.invoice_no, p.source, p.remark,
  p.is_deleted, p.created_at, p.updated_at, p.version, p.created_by,
  (select r.amount_fen from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_amount,
  (select coalesce(case when r.reason = 'other' then r.remark end, r.reason) from pay_refund r
    where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_reason,
  (select r.amount_fen from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'abnormal' order by r.id limit 1)
    as failed_amount,
  case
    when (p.tenant_id, p.id) in (select r.tenant_id, r.pay_id from pay_refund r where r.state = 'requested' and not r.approved_by_rule) then 1
    when p.state in ('due', 'overdue') and (p.tenant_id, p.id) in (select w.tenant_id, w.pay_id from pay_posting w where w.state = 'waiting') then 2
    when (p.tenant_id, p.id) in (select r.tenant_id, r.pay_id from pay_refund r where r.state = 'abnormal') then 3
  end as waits_for,
  (select (r.order_id is null)::int from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested'
    and not r.approved_by_rule order by r.id limit 1) as asked_by_hand,
  (select w.amount_fen from pay_posting w where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_amount,
  (select w.created_at from pay_posting w where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_time,
  (select u.real_name from pay_posting w join account u on u.tenant_id = w.tenant_id and u.id = w.posted_by
    where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_name,
  (select r.created_at from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_time,
  (select count(*)::int from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state <> 'requested') as asked_before,
  p.invoice_tax_no,
  (select u.real_name from account u where u.tenant_id = p.tenant_id and u.id = coalesce(p.confirmed_by, p.posted_by)) as entered_name,
  (select max(l.created_at) from pay_ledger l where l.tenant_id = p.tenant_id and l.pay_id = p.id and l.kind = 'pay' and p.posted_by is not null) as entered_time
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;

-- verify: select invoice_tax_no, entered_name, entered_time from exam_pay_row limit 0
