-- The government's non-tax payment platform as a third provider: a number of twenty digits that is paid anywhere, and its fiscal receipts, which come by themselves.
-- lock: short (two new tables; a column without a default; checks that are replaced; a view with one more column, one with the same); compatible: yes

create table pay_nontax (
  tenant_id varchar(12) primary key references tenant,
  origin varchar(200) not null,
  app_id varchar(40) not null,
  -- the office that collects and what it collects for, as the finance department numbers them
  unit_code varchar(32) not null,
  item_code varchar(32) not null,
  private_key_sealed bytea not null,
  -- of the platform, in PEM; no secret
  public_key text not null,
  updated_by bigint, updated_at timestamptz not null default app_now()
);
select secure_table('pay_nontax');

-- What the platform has said about the receipts of an order. A reversed one stays reversed, however late the news of its issue comes.
create table pay_receipt (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  order_id bigint not null,
  receipt_no varchar(40) not null,
  url varchar(300),
  is_reversed boolean not null,
  issued_at timestamptz not null,
  created_at timestamptz not null default app_now(), updated_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  unique (tenant_id, order_id, receipt_no),
  foreign key (tenant_id, order_id) references pay_order (tenant_id, id)
);
select secure_table('pay_receipt');

alter table pay_order add column pay_code varchar(20);
create index pay_order_pay_code_ix on pay_order (tenant_id, pay_code) where pay_code is not null;
alter table pay_order drop constraint pay_order_way_check;
alter table pay_order add constraint pay_order_way_check check (way in ('native', 'jsapi', 'h5', 'precreate', 'nontax')) not valid;
alter table pay_order validate constraint pay_order_way_check;
alter table pay_order drop constraint pay_order_channel_check;
alter table pay_order add constraint pay_order_channel_check check (channel in ('wechat', 'alipay', 'nontax')) not valid;
alter table pay_order validate constraint pay_order_channel_check;
alter table pay_bill drop constraint pay_bill_channel_check;
alter table pay_bill add constraint pay_bill_channel_check check (channel in ('wechat', 'alipay', 'nontax'));
alter table exam_pay drop constraint exam_pay_pay_way_check;
alter table exam_pay add constraint exam_pay_pay_way_check check (pay_way in ('wechat', 'bankTransfer', 'cash', 'unit', 'alipay', 'nontax')) not valid;
alter table exam_pay validate constraint exam_pay_pay_way_check;

-- As in 0914, with one more way.
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
  (select count(*)::int from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state <> 'requested') as asked_before
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;

-- As in 0740, with the number of the platform.
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
  p.is_invoice, o.pay_code
from pay_order o
join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;

-- verify: select (select pay_code from pay_order_row limit 0), (select pay_way from exam_pay_row limit 0), (select unit_code from pay_nontax limit 0), (select receipt_no from pay_receipt limit 0)
