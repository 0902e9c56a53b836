-- Data scopes reach tickets, and dues and orders know who made them (ADR 0054).
-- lock: none (a function, a policy, views with one more column); compatible: yes

-- Units that the caller's data scopes leave of a noun, set by the scope of the transaction; null: all.
create function app_units(noun text) returns text[] language sql stable parallel safe as
$$ select nullif(current_setting('app.units_' || noun, true), '')::text[] $$;

-- A ticket belongs to the unit of its sign-up. Both queries inside that do not depend on the row run once per statement.
create policy within_units on ticket as restrictive for all to kaopu_staff, kaopu_system using (
  (select app_units('ticket')) is null
  or exists (select 1 from signup s where s.tenant_id = ticket.tenant_id and s.id = ticket.signup_id and s.unit = any((select app_units('ticket'))::text[])));

-- As in 0006 and 0051, with the person who made the row: rules of kinds 2 to 4 go by it.
create or replace view exam_pay_row with (security_invoker = true) as
select p.tenant_id, p.id, p.exam_id, e.exam_name, p.item_id, i.item_name, p.signup_id, s.sign_no, s.name, right(s.id_card_mask, 4) as id_card_tail,
  s.unit, s.code, p.pay_kind, p.pay_name, p.amount_fen as amount, p.paid_fen as paid_amount, p.refunded_fen as refund_amount,
  array_position(array['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'], p.state::text) - 1 as state,
  p.deadline, p.paid_time, array_position(array['wechat', 'bankTransfer', 'cash', 'unit'], p.pay_way::text) as pay_way,
  o.order_no, p.voucher_no, p.is_invoice, p.invoice_title, p.invoice_no, p.source, p.remark,
  p.is_deleted, p.created_at, p.updated_at, p.version, p.created_by
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;
create or replace view pay_order_row with (security_invoker = true) as
select o.tenant_id, o.id, o.order_no, o.pay_id, p.exam_id, e.exam_name, p.pay_name, s.name, right(s.id_card_mask, 4) as id_card_tail,
  o.amount_fen as amount, o.paid_fen as paid_amount,
  array_position(array['created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'], o.state::text) - 1 as state,
  array_position(array['amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch'], o.exception::text) as exception_type,
  o.expire_time, o.transaction_id, o.trade_type, o.trade_state, o.success_time, o.notify_count, o.closed_at as close_time, o.close_reason,
  o.mchid, o.appid, false as is_deleted, o.created_at, o.updated_at, o.version, o.created_by
from pay_order o
join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;
create or replace view pay_alarm_row with (security_invoker = true) as
select a.tenant_id, a.id, a.kind, a.detail, o.order_no, a.created_at as raised_at, (a.handled_at is not null)::int as state,
  u.real_name as handled_name, a.handled_at, a.handle_remark,
  false as is_deleted, a.created_at, coalesce(a.handled_at, a.created_at) as updated_at, 0 as version, null::bigint as created_by
from pay_alarm a
left join pay_order o on o.tenant_id = a.tenant_id and o.id = a.order_id
left join account u on u.tenant_id = a.tenant_id and u.id = a.handled_by;

-- verify: select 1 / (select count(*) from pg_policies where policyname = 'within_units')
