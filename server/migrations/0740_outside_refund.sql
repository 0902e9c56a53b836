-- Refunds that somebody has made in the provider's own console: a reason of their own, an exception of the order, and which days' bills were read.
-- lock: short (two checks, a view, a new table); compatible: yes

alter table pay_order drop constraint pay_order_exception_check;
alter table pay_order add constraint pay_order_exception_check
  check (exception in ('amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch', 'refundedOutside'));
alter table pay_refund drop constraint pay_refund_reason_check;
alter table pay_refund add constraint pay_refund_reason_check
  check (reason in ('postCancelled', 'duplicate', 'mistake', 'late', 'other', 'outside'));

-- As in 0320, with the fifth exception.
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
  p.is_invoice
from pay_order o
join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;

-- The provider's bill of one day, once it was read and compared (domain 8.6).
create table pay_bill (
  tenant_id varchar(12) not null references tenant,
  bill_date date not null,
  row_count int not null default 0 check (row_count >= 0),
  amount_fen bigint not null default 0,
  refund_fen bigint not null default 0,
  -- rows that this program had not known of
  found_count int not null default 0,
  -- why it could not be read; empty once it was
  problem varchar(200),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, bill_date)
);
select secure_table('pay_bill');

-- verify: select 1 / (select count(*) from pg_class where relname = 'pay_bill' and relforcerowsecurity)
