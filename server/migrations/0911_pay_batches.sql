-- Batches of imports with their rows and how they were undone, and lists of payments that are frozen for finance (domain 3.13, 5.11).
-- lock: short (columns with constant defaults, views, new tables); compatible: yes

alter table pay_record_main add column undone_at timestamptz;
alter table pay_record_main add column undone_by bigint;

create view pay_record_main_row with (security_invoker = true) as
select m.tenant_id, m.id, m.exam_id, e.exam_name, m.item_id, i.item_name, m.batch_name, m.kind, m.total, m.total as ok_count, m.amount_fen::int as amount_total,
  (select count(*)::int from pay_record r join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id
    where r.tenant_id = m.tenant_id and r.main_id = m.id and p.state in ('paid', 'refunding', 'refunded')) as paid_count,
  u.real_name as import_name, m.created_at as import_time, m.state, m.undone_at as undo_time, v.real_name as undo_name,
  m.is_deleted, m.created_at, m.updated_at, m.version, m.created_by
from pay_record_main m
join examination e on e.tenant_id = m.tenant_id and e.id = m.exam_id
left join exam_item i on i.tenant_id = m.tenant_id and i.id = m.item_id
left join account u on u.tenant_id = m.tenant_id and u.id = m.created_by
left join account v on v.tenant_id = m.tenant_id and v.id = m.undone_by;
grant select on pay_record_main_row to kaopu_staff, kaopu_system;

-- What became of a row: 1 in force, 2 taken back.
create view pay_record_row with (security_invoker = true) as
select r.tenant_id, r.id, r.main_id, m.exam_id, m.batch_name, m.kind, r.pay_id as exam_pay_id, r.row_no, s.sign_no, s.name, s.id_card_mask, p.pay_name,
  r.amount_fen as amount, r.pay_time, array_position(array['wechat', 'bankTransfer', 'cash', 'unit'], r.pay_way::text) as pay_way, r.voucher_no,
  array_position(array['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'], p.state::text) - 1 as state,
  case when m.kind = 1 and p.state = 'void'
    or m.kind = 2 and exists (select 1 from pay_ledger l where l.tenant_id = r.tenant_id and l.kind = 'adjust' and l.evidence = 'undo:' || r.id) then 2 else 1 end as result,
  false as is_deleted, r.created_at, r.created_at as updated_at, 0 as version, m.created_by
from pay_record r
join pay_record_main m on m.tenant_id = r.tenant_id and m.id = r.main_id
join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;
grant select on pay_record_row to kaopu_staff, kaopu_system;

-- What the provider has kept of a payment, as its bill says: yuan with up to five decimals.
alter table pay_order add column fee numeric(12, 5);

create table pay_export_main (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  -- 0 = the examination as a whole
  item_id bigint not null default 0,
  name varchar(100) not null,
  begin_time timestamptz not null,
  end_time timestamptz not null,
  count int not null default 0,
  amount int not null default 0,
  refund_amount int not null default 0,
  -- 0 being made, 1 done, 2 failed
  state int not null default 0 check (state between 0 and 2),
  problem varchar(200),
  done_time timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  check (begin_time < end_time)
);
create index pay_export_main_exam_ix on pay_export_main (tenant_id, exam_id, id);
select secure_table('pay_export_main');
select narrow_with_exam('pay_export_main');

-- Rows are written once: what happens later to a payment does not change a list that was handed over.
create table pay_export (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  main_id bigint not null,
  exam_pay_id bigint not null,
  row_no int not null check (row_no >= 1),
  pay_name varchar(60) not null,
  order_no varchar(32),
  transaction_id varchar(64),
  voucher_no varchar(64),
  pay_way int,
  sign_no varchar(16),
  name varchar(50),
  id_card_mask varchar(40),
  unit varchar(20),
  code varchar(20),
  amount int not null check (amount >= 1),
  fee numeric(12, 5),
  paid_time timestamptz,
  refund_amount int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, main_id) references pay_export_main (tenant_id, id),
  foreign key (tenant_id, exam_pay_id) references exam_pay (tenant_id, id)
);
create unique index pay_export_row_uq on pay_export (tenant_id, main_id, row_no);
select secure_table('pay_export', 'none', 'user_id', true);
select narrow_with_exam('pay_export', '(select app_departments()) is null or app_reaches_due(exam_pay_id)');

-- verify: select 1 / (select count(*) / 2 from pg_class where relname in ('pay_export_main', 'pay_export') and relforcerowsecurity)
