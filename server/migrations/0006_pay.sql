-- Dues, orders, refunds, the ledger and provider notices (domain 3.13, 8).
-- lock: none (new tables); compatible: yes

create table exam_pay (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  -- 0 = the examination as a whole
  item_id bigint not null default 0,
  -- 1 sign-up fee, 2 difference after a transfer, 3 other
  pay_kind int not null default 1 check (pay_kind between 1 and 3),
  pay_name varchar(60) not null,
  amount_fen int not null check (amount_fen >= 1),
  paid_fen int not null default 0 check (paid_fen >= 0),
  refunded_fen int not null default 0 check (refunded_fen >= 0),
  state varchar(10) not null default 'due' check (state in ('exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void')),
  deadline timestamptz not null,
  paid_time timestamptz,
  pay_way varchar(14) check (pay_way in ('wechat', 'bankTransfer', 'cash', 'unit')),
  order_id bigint,
  voucher_file_id bigint, voucher_no varchar(64),
  posted_by bigint, confirmed_by bigint,
  -- 0 not applied, 1 issued, 2 applied
  is_invoice int not null default 0 check (is_invoice between 0 and 2),
  invoice_title varchar(60), invoice_tax_no varchar(20), invoice_no varchar(40), invoice_url varchar(300), invoice_time timestamptz,
  -- 1 automatic, 2 import, 3 manual
  source int not null default 1 check (source between 1 and 3),
  main_id bigint,
  remark varchar(200),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  check (refunded_fen <= paid_fen)
);
create unique index exam_pay_due_uq on exam_pay (tenant_id, exam_id, item_id, signup_id, pay_kind, pay_name) where state <> 'void' and not is_deleted;
create index exam_pay_state_ix on exam_pay (tenant_id, exam_id, state, deadline);
create index exam_pay_user_ix on exam_pay (tenant_id, user_id, state);
create index exam_pay_signup_ix on exam_pay (tenant_id, signup_id);
create unique index exam_pay_voucher_uq on exam_pay (tenant_id, voucher_no) where voucher_no is not null and state <> 'void';
select secure_table('exam_pay', 'own-read');

create table pay_order (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  order_no varchar(32) not null,
  pay_id bigint not null,
  user_id bigint not null,
  amount_fen int not null check (amount_fen >= 1),
  description varchar(127) not null,
  code_url varchar(300),
  state varchar(14) not null default 'created'
    check (state in ('created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal')),
  exception varchar(20) check (exception in ('amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch')),
  expire_time timestamptz not null,
  transaction_id varchar(64),
  payer_sealed bytea,
  trade_type varchar(20), trade_state varchar(20),
  success_time timestamptz,
  paid_fen int,
  notify_count int not null default 0,
  -- the provider is asked at most every 3 s per order
  queried_at timestamptz, query_count int not null default 0,
  closed_at timestamptz, closed_by bigint, close_reason varchar(100),
  mchid varchar(32) not null, appid varchar(40) not null,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, pay_id) references exam_pay (tenant_id, id)
);
create unique index pay_order_no_uq on pay_order (tenant_id, order_no);
create unique index pay_order_transaction_uq on pay_order (tenant_id, transaction_id) where transaction_id is not null;
create unique index pay_order_live_uq on pay_order (tenant_id, pay_id) where state in ('created', 'pending');
create index pay_order_open_ix on pay_order (tenant_id, state, expire_time);
select secure_table('pay_order', 'own-read');

create table pay_refund (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  refund_no varchar(64) not null,
  order_id bigint not null,
  pay_id bigint not null,
  user_id bigint not null,
  amount_fen int not null check (amount_fen >= 1),
  reason varchar(20) not null check (reason in ('postCancelled', 'duplicate', 'mistake', 'late', 'other')),
  remark varchar(200),
  state varchar(10) not null default 'requested' check (state in ('requested', 'submitted', 'succeeded', 'closed', 'abnormal', 'rejected')),
  -- 0 = a rule of the system, which needs no second person
  apply_by bigint not null, approve_by bigint, approve_time timestamptz,
  approved_by_rule boolean not null default false,
  submitted_at timestamptz,
  provider_refund_id varchar(64),
  success_time timestamptz,
  query_count int not null default 0,
  voucher_no varchar(64),
  created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references pay_order (tenant_id, id),
  foreign key (tenant_id, pay_id) references exam_pay (tenant_id, id)
);
create unique index pay_refund_no_uq on pay_refund (tenant_id, refund_no);
create index pay_refund_order_ix on pay_refund (tenant_id, order_id);
create index pay_refund_open_ix on pay_refund (tenant_id, state) where state in ('requested', 'submitted');
select secure_table('pay_refund', 'own-read');

-- Every movement of money; exam_pay.paid_fen is the sum of its lines `pay` and `adjust`, refunded_fen that of `refund`.
create table pay_ledger (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  pay_id bigint,
  order_id bigint,
  refund_id bigint,
  kind varchar(16) not null check (kind in ('pay', 'refund', 'adjust', 'suspense', 'suspenseRefund', 'suspenseRelease')),
  amount_fen int not null,
  -- what makes the line unique: a transaction, a refund, a voucher
  evidence varchar(120) not null,
  created_by bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create unique index pay_ledger_evidence_uq on pay_ledger (tenant_id, kind, evidence);
create index pay_ledger_pay_ix on pay_ledger (tenant_id, pay_id);
select secure_table('pay_ledger', 'none', 'created_by', true);

-- Provider notices as they came, before anything is done with them.
create table pay_notice (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  notice_id varchar(64) not null,
  event_type varchar(40) not null,
  subject_no varchar(64),
  body text not null,
  received_count int not null default 1,
  outcome varchar(60),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create unique index pay_notice_id_uq on pay_notice (tenant_id, notice_id);
select secure_table('pay_notice');

-- What a person of finance must look at.
create table pay_alarm (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  order_id bigint,
  kind varchar(40) not null,
  detail varchar(500) not null,
  handled_by bigint, handled_at timestamptz, handle_remark varchar(200),
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
select secure_table('pay_alarm');

create index pay_alarm_open_ix on pay_alarm (tenant_id, kind) where handled_at is null;

-- An offline payment above the limit, entered by one person and waiting for the second.
create table pay_posting (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  pay_id bigint not null,
  pay_way varchar(14) not null check (pay_way in ('bankTransfer', 'cash', 'unit')),
  amount_fen int not null check (amount_fen >= 1),
  paid_time timestamptz not null,
  voucher_no varchar(64) not null,
  voucher_file_id bigint,
  remark varchar(200),
  state varchar(10) not null default 'waiting' check (state in ('waiting', 'confirmed', 'dropped')),
  posted_by bigint not null, confirmed_by bigint,
  created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, pay_id) references exam_pay (tenant_id, id)
);
create unique index pay_posting_waiting_uq on pay_posting (tenant_id, pay_id) where state = 'waiting';
select secure_table('pay_posting');

-- Merchant account of a tenant; the private key and the API key are sealed.
create table pay_account (
  tenant_id varchar(12) primary key references tenant,
  mchid varchar(32) not null,
  appid varchar(40) not null,
  serial_no varchar(64) not null,
  private_key_sealed bytea not null,
  api_key_sealed bytea not null,
  trust jsonb not null,
  origin varchar(200),
  updated_by bigint, updated_at timestamptz not null default app_now()
);
select secure_table('pay_account');

-- What the console lists: rows with the names a person needs, states as the numbers of the wire. The reader's own policies apply.
create view exam_pay_row with (security_invoker = true) as
select p.tenant_id, p.id, p.exam_id, e.exam_name, p.item_id, i.item_name, p.signup_id, s.sign_no, s.name, right(s.id_card_mask, 4) as id_card_tail,
  s.unit, s.code, p.pay_kind, p.pay_name, p.amount_fen as amount, p.paid_fen as paid_amount, p.refunded_fen as refund_amount,
  array_position(array['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'], p.state::text) - 1 as state,
  p.deadline, p.paid_time, array_position(array['wechat', 'bankTransfer', 'cash', 'unit'], p.pay_way::text) as pay_way,
  o.order_no, p.voucher_no, p.is_invoice, p.invoice_title, p.invoice_no, p.source, p.remark,
  p.is_deleted, p.created_at, p.updated_at, p.version
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;
grant select on exam_pay_row to kaopu_staff, kaopu_system;

create view pay_order_row with (security_invoker = true) as
select o.tenant_id, o.id, o.order_no, o.pay_id, p.exam_id, e.exam_name, p.pay_name, s.name, right(s.id_card_mask, 4) as id_card_tail,
  o.amount_fen as amount, o.paid_fen as paid_amount,
  array_position(array['created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'], o.state::text) - 1 as state,
  array_position(array['amountMismatch', 'paidAfterClose', 'duplicate', 'merchantMismatch'], o.exception::text) as exception_type,
  o.expire_time, o.transaction_id, o.trade_type, o.trade_state, o.success_time, o.notify_count, o.closed_at as close_time, o.close_reason,
  o.mchid, o.appid, false as is_deleted, o.created_at, o.updated_at, o.version
from pay_order o
join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id;
grant select on pay_order_row to kaopu_staff, kaopu_system;

-- verify: select 1 / (select count(*) from pg_class where relname = 'pay_ledger' and relforcerowsecurity)
