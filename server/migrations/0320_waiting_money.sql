-- Finance finds dues and orders by what they wait for, and writes down what went back by hand (domain 5.4, 8.5).
-- lock: short (a column that may be empty, two views with more columns); compatible: yes

-- Money that came by hand has no order it could go back by.
alter table pay_refund alter column order_id drop not null;

-- As in 0300, with the posting that waits for a second person. What waits is little: it is gathered once for all rows.
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
    where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_name
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;

-- As in 0231, with the refund of this order that waits for a second person.
create or replace view pay_order_row with (security_invoker = true) as
select o.tenant_id, o.id, o.order_no, o.pay_id, p.exam_id, e.exam_name, p.pay_name, s.name, right(s.id_card_mask, 4) as id_card_tail,
  o.amount_fen as amount, o.paid_fen as paid_amount,
  array_position(array['created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'], o.state::text) - 1 as state,
  array_position(array['amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch'], o.exception::text) as exception_type,
  o.expire_time, o.transaction_id, o.trade_type, o.trade_state, o.success_time, o.notify_count, o.closed_at as close_time, o.close_reason,
  o.mchid, o.appid, false as is_deleted, o.created_at, o.updated_at, o.version, o.created_by,
  (select r.amount_fen from pay_refund r where r.tenant_id = o.tenant_id and r.order_id = o.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_amount,
  (select coalesce(case when r.reason = 'other' then r.remark end, r.reason) from pay_refund r
    where r.tenant_id = o.tenant_id and r.order_id = o.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_reason,
  p.is_invoice
from pay_order o
join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;

-- verify: select 1 / (select count(*) from pg_attribute where attrelid = 'exam_pay_row'::regclass and attname = 'waits_for')
