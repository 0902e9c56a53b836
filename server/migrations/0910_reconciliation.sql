-- Reconciliation (domain 3.13, 8.6): what each day's bill and our own books come to, and each difference between them with what became of it.
-- lock: short (the key of a small table, a view, a new table); compatible: the job of an older process cannot note a bill until it ends

alter table pay_bill add column id bigint not null default next_id();
alter table pay_bill add column channel varchar(10) not null default 'wechat' check (channel in ('wechat', 'alipay'));
alter table pay_bill add column mchid varchar(32) not null default '';
-- row_count are all lines of the bill; these are its payments
alter table pay_bill add column pay_count int not null default 0;
alter table pay_bill add column our_count int not null default 0;
alter table pay_bill add column our_fen bigint not null default 0;
alter table pay_bill add column our_refund_fen bigint not null default 0;
-- by the provider's own bill of the merchant's account; empty where there is none
alter table pay_bill add column fund_in_fen bigint;
alter table pay_bill add column fund_out_fen bigint;
alter table pay_bill add column fund_fee_fen bigint;
alter table pay_bill add column open_count int not null default 0;
-- 0 not compared, 1 nothing differs, 2 something is open, 3 what differed is dealt with
alter table pay_bill add column state int not null default 0 check (state between 0 and 3);
alter table pay_bill add column run_at timestamptz;
update pay_bill set state = case when problem is null then 1 else 0 end, run_at = updated_at,
  mchid = coalesce((select a.mchid from pay_account a where a.tenant_id = pay_bill.tenant_id), '');
alter table pay_bill drop constraint pay_bill_pkey;
alter table pay_bill add primary key (tenant_id, id);
create unique index pay_bill_day_uq on pay_bill (tenant_id, bill_date, channel, mchid);

-- The day whose bill named a refund: the provider lists it by the day of the request or of its success.
alter table pay_refund add column billed_on date;
create index pay_refund_success_ix on pay_refund (tenant_id, success_time) where success_time is not null;
create index pay_order_success_ix on pay_order (tenant_id, success_time) where success_time is not null;

create table pay_bill_difference (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  bill_id bigint not null,
  subject varchar(6) not null check (subject in ('pay', 'refund', 'fund')),
  -- 1 only ours, 2 only theirs, 3 another amount, 4 another state
  kind int not null check (kind between 1 and 4),
  order_no varchar(64) not null default '',
  refund_no varchar(64) not null default '',
  transaction_id varchar(64) not null default '',
  order_id bigint,
  our_fen bigint, bill_fen bigint,
  our_state varchar(20) not null default '', bill_state varchar(20) not null default '',
  -- when it was paid or given back by either book, and when we had closed the order
  our_time timestamptz, bill_time timestamptz, closed_time timestamptz,
  handled boolean not null default false,
  -- which rule or person has settled it
  handle_way varchar(12) check (handle_way in ('posted', 'refunded', 'confirmed', 'gone', 'corrected', 'accepted', 'returned')),
  handle_remark varchar(200),
  handle_by bigint,
  handled_at timestamptz,
  due_at timestamptz not null,
  is_deleted boolean not null default false,
  created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, bill_id) references pay_bill (tenant_id, id),
  check (handled = (handle_way is not null))
);
create unique index pay_bill_difference_uq on pay_bill_difference (tenant_id, bill_id, subject, kind, order_no, refund_no, transaction_id);
create index pay_bill_difference_open_ix on pay_bill_difference (tenant_id, due_at) where not handled;
select secure_table('pay_bill_difference');

create view reconciliation_row with (security_invoker = true) as
select b.tenant_id, b.id, b.bill_date, b.channel, b.mchid, b.our_count, b.our_fen::int as our_amount, b.pay_count as bill_count, b.amount_fen::int as bill_amount,
  b.our_refund_fen::int as our_refund, b.refund_fen::int as bill_refund, b.fund_in_fen::int as fund_in, b.fund_out_fen::int as fund_out, b.fund_fee_fen::int as fund_fee,
  b.found_count as diff_count, b.open_count, b.state, b.run_at as run_time, b.problem,
  false as is_deleted, b.created_at, b.updated_at, 0 as version, null::bigint as created_by
from pay_bill b;
grant select on reconciliation_row to kaopu_staff, kaopu_system;

create view pay_difference_row with (security_invoker = true) as
select d.tenant_id, d.id, d.bill_id, b.bill_date, b.channel, d.subject, d.kind, d.order_no, d.refund_no, d.transaction_id, d.our_fen::int as our_amount,
  d.bill_fen::int as bill_amount, d.our_state, d.bill_state, d.our_time, d.bill_time, d.closed_time, d.handled::int as handle, d.handle_way, d.handle_remark,
  u.real_name as handle_name, d.handled_at as handle_time, d.due_at as due_time, d.is_deleted, d.created_at, d.updated_at, d.version, null::bigint as created_by
from pay_bill_difference d
join pay_bill b on b.tenant_id = d.tenant_id and b.id = d.bill_id
left join account u on u.tenant_id = d.tenant_id and u.id = d.handle_by;
grant select on pay_difference_row to kaopu_staff, kaopu_system;

-- verify: select 1 / (select count(*) from pg_class where relname = 'pay_bill_difference' and relforcerowsecurity)
