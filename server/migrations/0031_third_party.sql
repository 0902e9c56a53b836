-- Logins through other providers: who came from where, the flows that are under way, guests who have no account yet.
-- lock: short (account: three unique indexes are made anew; session: one nullable column); compatible: yes

-- One row per person of a provider (framework-contract 2.11).
create table social_account (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  source varchar(40) not null,
  uuid varchar(128) not null,
  account varchar(60) not null default '',
  nick_name varchar(60) not null default '',
  user_id bigint,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  unique (tenant_id, source, uuid),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create index social_account_user_ix on social_account (tenant_id, user_id);
select secure_table('social_account');

-- A way to a provider and back: single use, bound to the browser that began it.
create table login_flow (
  tenant_id varchar(12) not null references tenant,
  state_hash char(64) not null,
  source varchar(40) not null,
  verifier varchar(64) not null,
  browser_hash char(64) not null,
  redirect_uri varchar(300) not null,
  ip varchar(45),
  until timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, state_hash)
);
create index login_flow_ip_ix on login_flow (tenant_id, ip, created_at);
select secure_table('login_flow');

-- Whoever has proven to be somebody at a provider and has no account here: may ask for one and leave, nothing else.
create table guest_session (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  social_id bigint not null,
  access_hash char(64) not null unique,
  until timestamptz not null,
  ended_at timestamptz,
  ip varchar(45), user_agent varchar(300),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, social_id) references social_account (tenant_id, id)
);
select secure_table('guest_session');

alter table session add column social_id bigint;
alter table session add foreign key (tenant_id, social_id) references social_account (tenant_id, id);

-- A refused registration keeps nobody from registering again with the same name, phone or id card (domain 4.9).
drop index account_account_uq;
create unique index account_account_uq on account (tenant_id, account_key) where not is_deleted and status <> 3;
drop index account_phone_uq;
create unique index account_phone_uq on account (tenant_id, phone_index) where not is_deleted and status <> 3 and user_type = 2 and phone_index is not null;
drop index account_id_card_uq;
create unique index account_id_card_uq on account (tenant_id, id_card_index) where not is_deleted and status <> 3 and user_type = 2 and id_card_index is not null;

-- verify: select 1 / (select count(*) from pg_class where relname = 'guest_session' and relforcerowsecurity)
