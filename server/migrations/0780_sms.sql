-- Providers of text messages with their keys, the templates that are registered with them, and what was asked about each message.
-- lock: short exclusive on sms_message (new columns with constant defaults); compatible: yes

create table sms_provider (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  category varchar(60) not null,
  sms_code varchar(60) not null,
  sign_name varchar(30) not null,
  template_id varchar(40) not null,
  access_key varchar(100) not null,
  secret_key_sealed bytea not null,
  region_id varchar(30) not null default '',
  app_id varchar(30) not null default '',
  -- 1 off, 2 on
  status int not null default 1 check (status in (1, 2)),
  -- What it refused last that our side or its account is to blame for.
  problem varchar(300) not null default '',
  remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index sms_provider_code_uq on sms_provider (tenant_id, sms_code) where not is_deleted;
-- One sends at a time, however many switch at once.
create unique index sms_provider_on_uq on sms_provider (tenant_id) where status = 2 and not is_deleted;
select secure_table('sms_provider');

create table send_template (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  code varchar(60) not null,
  name varchar(60) not null,
  -- `batch`: for sending to many; else the event whose words it has.
  scene varchar(60) not null default 'batch',
  title varchar(60) not null default '',
  content varchar(500) not null,
  title_en varchar(120) not null default '',
  content_en varchar(800) not null default '',
  vars varchar(300) not null default '',
  -- Number of the template at the provider; empty: in-app only.
  template_id varchar(40) not null default '',
  sign_name varchar(30) not null default '',
  -- 1 in use, 0 not
  status int not null default 1 check (status in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index send_template_code_uq on send_template (tenant_id, code) where not is_deleted;
create unique index send_template_scene_uq on send_template (tenant_id, scene) where scene <> 'batch' and status = 1 and not is_deleted;
select secure_table('send_template');

alter table sms_message
  add column params jsonb not null default '{}',
  -- Number of the template at the provider where the message names it itself.
  add column template_id varchar(40),
  -- The account it was given to: only that one can be asked about it.
  add column provider_row_id bigint,
  -- Its parts are taken from the day's budget.
  add column is_counted boolean not null default false,
  -- When it was given to the provider; with state 0, whether it arrived there is not known.
  add column claimed_at timestamptz,
  -- When the provider is asked about it next.
  add column ask_at timestamptz,
  add column ask_count int not null default 0,
  -- Why it failed: ours, account, person, lost.
  add column fail_kind varchar(10);
create index sms_message_ask_ix on sms_message (ask_at) where ask_at is not null;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'sms_provider' and relforcerowsecurity)
