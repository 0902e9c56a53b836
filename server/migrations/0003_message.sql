-- Personal notices and text messages.
-- lock: none (new tables); compatible: yes

create table notify (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null,
  exam_id bigint,
  -- 1 examine result, 2 pay, 3 ticket, 4 score, 5 post change, 6 re-review, 7 system (domain 3.14)
  kind int not null check (kind between 1 and 7),
  title_zh varchar(120) not null, title_en varchar(200) not null,
  content_zh varchar(500) not null, content_en varchar(800) not null,
  link varchar(255) not null default '',
  need_sure boolean not null default false,
  sure_at timestamptz,
  read_at timestamptz,
  -- one notice per event: a task that runs twice writes once
  event_key varchar(120) not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create unique index notify_event_uq on notify (tenant_id, user_id, event_key);
create index notify_user_ix on notify (tenant_id, user_id, id desc);
select secure_table('notify', 'own');

create table sms_message (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint,
  template varchar(60) not null,
  phone_sealed bytea not null,
  phone_mask varchar(20) not null,
  content varchar(500) not null,
  segments int not null,
  -- 0 waiting, 1 handed to the provider, 2 delivered, 3 failed
  state int not null default 0 check (state between 0 and 3),
  provider varchar(20),
  provider_id varchar(80),
  fail_reason varchar(200),
  sent_at timestamptz,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index sms_message_created_ix on sms_message (tenant_id, id desc);
select secure_table('sms_message');

-- verify: select 1 / (select count(*) from pg_class where relname = 'sms_message' and relforcerowsecurity)
