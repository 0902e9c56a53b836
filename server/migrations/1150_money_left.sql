-- What is let off of a fee that was paid stands on the due, and what can still be asked back is one figure.
-- lock: short (exam_pay: one column with a constant, dues with waived refunds; three views); compatible: the release before keeps running

-- Of what was paid: let off, so that it goes back, whatever else is asked back beside it.
alter table exam_pay add column waived_fen int not null default 0 check (waived_fen >= 0);
update exam_pay p set waived_fen = least(w.fen, p.paid_fen) from (
  select tenant_id, pay_id, sum(amount_fen)::int as fen from pay_refund where reason = 'waived' and state not in ('closed', 'rejected') group by 1, 2) w
where w.tenant_id = p.tenant_id and w.pay_id = p.id;

-- What of an order, or of money that came by hand, nobody has asked back yet. Nothing while the provider has given some back by itself and has not said how much.
create function left_to_refund(tenant varchar, pay bigint, ordered bigint, paid int) returns int
language sql stable parallel safe as
$$
  select case
    when exists (select 1 from public.pay_order o where o.tenant_id = tenant and o.id = ordered and o.exception = 'refundedOutside')
      and not exists (select 1 from public.pay_refund r where r.tenant_id = tenant and r.order_id = ordered and r.reason = 'outside') then 0
    else paid - coalesce((select sum(r.amount_fen) from public.pay_refund r
      where r.tenant_id = tenant and r.pay_id = pay and r.order_id is not distinct from ordered and r.state not in ('closed', 'rejected')), 0)::int
  end
$$;

-- As in 1029, with what can still be asked back.
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
  (select max(l.created_at) from pay_ledger l where l.tenant_id = p.tenant_id and l.pay_id = p.id and l.kind = 'pay' and p.posted_by is not null) as entered_time,
  left_to_refund(p.tenant_id, p.id, p.order_id, p.paid_fen) as left_amount
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;

-- As in 0995, with the same.
create or replace view pay_order_row with (security_invoker = true) as
select o.tenant_id, o.id, o.order_no, o.pay_id, p.exam_id, e.exam_name, p.pay_name, s.name, right(s.id_card_mask, 4) as id_card_tail,
  o.amount_fen as amount, o.paid_fen as paid_amount,
  array_position(array['created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'], o.state::text) - 1 as state,
  array_position(array['amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch', 'refundedOutside'], o.exception::text) as exception_type,
  o.expire_time, o.transaction_id, o.trade_type, o.trade_state, o.success_time, o.notify_count, o.closed_at as close_time, o.close_reason,
  o.mchid, o.appid, false as is_deleted, o.created_at, o.updated_at, o.version, o.created_by,
  (select r.amount_fen from pay_refund r where r.tenant_id = o.tenant_id and r.order_id = o.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_amount,
  (select coalesce(case when r.reason = 'other' then r.remark end, r.reason) from pay_refund r
    where r.tenant_id = o.tenant_id and r.order_id = o.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_reason,
  p.is_invoice, o.pay_code,
  left_to_refund(o.tenant_id, o.pay_id, o.id, coalesce(o.paid_fen, 0)) as left_amount
from pay_order o
join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;

-- As in 0965: all that was paid is on its way back, by one refund or by several.
create or replace view refund_waiting with (security_invoker = true) as
select d.tenant_id, d.signup_id, bool_or(r.by_owner) as by_owner
from exam_pay d
join (
  select tenant_id, pay_id, order_id, sum(amount_fen) as fen
  from pay_refund where state in ('requested', 'submitted', 'abnormal') group by 1, 2, 3) o
  on o.tenant_id = d.tenant_id and o.pay_id = d.id and o.order_id is not distinct from d.order_id
join lateral (
  select bool_or(r.state = 'requested' and not r.approved_by_rule and r.apply_by = d.user_id) as by_owner
  from pay_refund r where r.tenant_id = d.tenant_id and r.pay_id = d.id and r.order_id is not distinct from d.order_id) r on true
where d.state = 'paid' and not d.is_deleted and not d.is_waived and d.refunded_fen + o.fen >= d.paid_fen
group by d.tenant_id, d.signup_id;

-- verify: select waived_fen, (select left_amount from exam_pay_row limit 0), (select left_amount from pay_order_row limit 0), (select by_owner from refund_waiting limit 0) from exam_pay limit 0
