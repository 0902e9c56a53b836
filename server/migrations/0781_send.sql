-- Sending to many: the tasks, their rows among all messages, the balance of parts they are paid from.
-- lock: exclusive on sms_message while it is written anew (parameters as json); compatible: yes

-- What is left empty in a form is null.
alter table send_template
  alter column title drop not null, alter column title_en drop not null, alter column content_en drop not null, alter column vars drop not null,
  alter column template_id drop not null, alter column sign_name drop not null;

create table send_task (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint,
  title varchar(60) not null,
  template_id bigint not null,
  -- 1 text message, 2 in-app, 3 both
  channel int not null check (channel in (1, 2, 3)),
  audience varchar(20) not null,
  params jsonb not null default '{}',
  -- 0 draft, 1 waits for approval, 2 sending, 3 done, 4 failed, 5 cancelled
  state int not null default 0 check (state between 0 and 5),
  total int not null default 0,
  -- Parts of all its text messages.
  parts int not null default 0,
  -- Who was left out, by reason.
  left_out jsonb not null default '{}',
  is_repeat boolean not null default false,
  needs_approval boolean not null default false,
  schedule_time timestamptz,
  -- Why it stands still: quiet, budget, paused.
  wait_reason varchar(10),
  approve_user bigint,
  approve_time timestamptz,
  reject_reason varchar(200),
  started_at timestamptz,
  ended_at timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, template_id) references send_template (tenant_id, id)
);
create index send_task_exam_ix on send_task (tenant_id, exam_id);
create index send_task_template_ix on send_task (tenant_id, template_id);
select secure_table('send_task');
select narrow_with_exam('send_task');

-- Parts that were bought and not used yet; frozen ones are promised to tasks that run.
create table send_account (
  tenant_id varchar(12) primary key references tenant,
  balance int not null default 0,
  frozen int not null default 0,
  check (frozen >= 0 and balance >= frozen)
);
select secure_table('send_account');

-- Every movement of the balance, append-only: recharge, freeze, settle, release.
create table send_ledger (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  kind varchar(10) not null check (kind in ('recharge', 'freeze', 'settle', 'release')),
  parts int not null check (parts > 0),
  send_id bigint,
  -- The purchase that brought them: each is credited once.
  send_pay_id bigint,
  created_by bigint not null default 0,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  check ((kind = 'recharge') = (send_pay_id is not null))
);
create unique index send_ledger_pay_uq on send_ledger (tenant_id, send_pay_id) where send_pay_id is not null;
create index send_ledger_task_ix on send_ledger (tenant_id, send_id);
select secure_table('send_ledger', 'none', 'user_id', true);

alter table sms_message
  -- Providers count places of parameters: json keeps their order, jsonb does not.
  alter column params drop default,
  alter column params type json using params::json,
  alter column params set default '{}',
  alter column phone_sealed drop not null,
  add column send_id bigint,
  add column exam_id bigint,
  add column name varchar(50),
  add column title varchar(120),
  add column title_en varchar(120),
  add column content_en varchar(800),
  add column channel int not null default 1 check (channel in (1, 2, 3)),
  -- What was frozen for it is settled or released.
  add column is_settled boolean not null default false,
  add column phone_index char(64),
  add column sent_key varchar(80),
  add foreign key (tenant_id, send_id) references send_task (tenant_id, id),
  add check (phone_sealed is not null or channel = 2);
select narrow_with_exam('sms_message');
create index sms_message_send_ix on sms_message (tenant_id, send_id, state) where send_id is not null;
create index sms_message_phone_ix on sms_message (tenant_id, phone_index) where phone_index is not null;
create index sms_message_repeat_ix on sms_message (tenant_id, sent_key, sent_at) where sent_key is not null;
-- Drafts of tasks are not on their way yet.
drop index sms_message_waiting_ix;
create index sms_message_waiting_ix on sms_message (tenant_id) include (segments) where state = 0 and not is_counted and send_id is null;

-- Messages as they are listed: a login code is nobody's to read.
create view send_message_row with (security_invoker = true) as
select m.tenant_id, m.id, m.send_id, m.exam_id, m.name, m.phone_mask, m.phone_index, m.user_id, m.template, m.channel,
  case when m.template = 'login-code' then '******' else m.content end as content,
  m.state, m.provider_id as biz_id, m.fail_reason, m.sent_at as send_time, m.segments as segs,
  false as is_deleted, m.created_at, m.created_at as updated_at, 0 as version, null::bigint as created_by
from sms_message m;
grant select on send_message_row to kaopu_staff, kaopu_system;

create table send_packages (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  package_name varchar(40) not null,
  count int not null check (count > 0),
  -- Without a price it is not on sale yet.
  price int not null check (price >= 0),
  valid_days int,
  status boolean not null default true,
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index send_packages_name_uq on send_packages (tenant_id, package_name) where not is_deleted;
select secure_table('send_packages');

-- A purchase of parts, by WeChat Pay or by a transfer that the platform confirms.
create table send_pay (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- Of the platform; what it was when it was bought stands beside.
  packages_id bigint not null,
  package_name varchar(40) not null,
  count int not null check (count > 0),
  price int not null check (price > 0),
  -- 0 to be paid, 1 credited, 2 closed, 3 to be confirmed
  state int not null default 0 check (state between 0 and 3),
  -- 1 WeChat Pay, 2 transfer
  pay_way int not null check (pay_way in (1, 2)),
  voucher varchar(64),
  sure_user bigint,
  sure_name varchar(60),
  sure_time timestamptz,
  remark varchar(200),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create index send_pay_state_ix on send_pay (state) where state = 3;
select secure_table('send_pay');

create table send_order (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  send_pay_id bigint not null,
  order_no varchar(32) not null,
  amount int not null check (amount > 0),
  -- 0 made, 1 can be paid, 2 paid, 3 closed, 7 abnormal: as orders of fees
  state int not null default 0 check (state in (0, 1, 2, 3, 7)),
  code_url varchar(255),
  expire_time timestamptz not null,
  transaction_id varchar(64),
  paid_amount int,
  success_time timestamptz,
  exception varchar(20),
  notify_count int not null default 0,
  queried_at timestamptz,
  mchid varchar(32) not null,
  appid varchar(32) not null,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, send_pay_id) references send_pay (tenant_id, id)
);
create unique index send_order_no_uq on send_order (tenant_id, order_no);
create unique index send_order_live_uq on send_order (tenant_id, send_pay_id) where state in (0, 1);
create index send_order_pay_ix on send_order (tenant_id, send_pay_id);
create index send_order_open_ix on send_order (expire_time) where state in (0, 1);
select secure_table('send_order');

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'send_order' and relforcerowsecurity)
