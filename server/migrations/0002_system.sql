-- Accounts, sessions, roles, menus, dictionaries, parameters.
-- lock: none (new tables); compatible: yes

create table account (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  account varchar(60) not null,
  -- one spelling per person: trimmed, lower case, NFKC
  account_key varchar(60) not null,
  password_hash varchar(255),
  user_type int not null check (user_type in (1, 2, 3)),
  nick_name varchar(60) not null,
  real_name varchar(60) not null,
  code varchar(40),
  -- staff: unit, site or school code; candidates: their number (domain 3.6)
  user_code varchar(20),
  user_code_ids jsonb not null default '[]',
  email varchar(120),
  phone_sealed bytea, phone_index char(64), phone_mask varchar(20),
  id_card_sealed bytea, id_card_index char(64), id_card_mask varchar(24), id_card_type varchar(4),
  sex int, birthday date,
  dept_id varchar(400), post_id varchar(400),
  avatar_file_id bigint, card_front_file_id bigint, card_back_file_id bigint,
  -- 0 pending, 1 normal, 2 disabled, 3 refused, 4 locked, 5 closed (domain 4.9)
  status int not null default 1 check (status between 0 and 5),
  fail_count int not null default 0,
  fail_since timestamptz,
  lock_level int not null default 0,
  locked_until timestamptz,
  password_changed_at timestamptz,
  consent_version varchar(20), consent_at timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index account_account_uq on account (tenant_id, account_key) where not is_deleted;
create unique index account_phone_uq on account (tenant_id, phone_index) where not is_deleted and user_type = 2 and phone_index is not null;
create unique index account_id_card_uq on account (tenant_id, id_card_index) where not is_deleted and user_type = 2 and id_card_index is not null;
create unique index account_user_code_uq on account (tenant_id, user_code) where user_type = 2 and user_code is not null;
select secure_table('account', 'own', 'id');

create table session (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null,
  user_type int not null,
  client_id varchar(40) not null,
  access_hash char(64) not null unique,
  access_until timestamptz not null,
  refresh_hash char(64) not null unique,
  refresh_until timestamptz not null,
  -- the refresh token before the last change still answers for 10 s to the same client (decision 3.7)
  previous_refresh_hash char(64) unique,
  rotated_at timestamptz,
  fingerprint char(64) not null,
  role_ids jsonb not null default '[]',
  dept_id varchar(400),
  ip varchar(45), user_agent varchar(300),
  created_at timestamptz not null default app_now(),
  active_at timestamptz not null default app_now(),
  lock_hash varchar(255), lock_tries int not null default 0, locked_at timestamptz,
  ended_at timestamptz, end_reason varchar(40),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create index session_user_ix on session (tenant_id, user_id) where ended_at is null;
select secure_table('session');
create function session_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_session', new.id::text); return null; end $$;
create trigger session_notify after update of ended_at, locked_at, role_ids on session for each row execute function session_notify();

-- Captchas and SMS codes: single use, counted before they are compared.
create table login_challenge (
  tenant_id varchar(12) not null references tenant,
  key char(43) not null,
  kind varchar(10) not null check (kind in ('captcha', 'sms')),
  purpose varchar(20) not null,
  answer_hash char(64) not null,
  phone_index char(64),
  tries int not null default 0,
  tries_max int not null,
  ip varchar(45),
  until timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, key)
);
create index login_challenge_phone_ix on login_challenge (tenant_id, phone_index, created_at) where kind = 'sms';
create index login_challenge_ip_ix on login_challenge (tenant_id, ip, created_at);
select secure_table('login_challenge');

create table login_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null default 0,
  account_key varchar(60) not null,
  grant_type varchar(30) not null,
  result varchar(40) not null,
  ip varchar(45), user_agent varchar(300),
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
select secure_table('login_log', 'none', 'user_id', true);

create table role (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  parent_id bigint not null default 0,
  role_name varchar(60) not null,
  -- shown to English readers; empty = the name
  role_name_en varchar(60) not null default '',
  role_alias varchar(60) not null,
  sort int not null default 0,
  is_back int not null default 1,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index role_alias_uq on role (tenant_id, role_alias) where not is_deleted;
select secure_table('role', 'read');

create table account_role (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  role_id bigint not null,
  primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references account (tenant_id, id),
  foreign key (tenant_id, role_id) references role (tenant_id, id)
);
select secure_table('account_role', 'own-read');

create table menu (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  parent_id bigint not null default 0,
  code varchar(60) not null,
  name varchar(60) not null,
  name_en varchar(100) not null,
  alias varchar(60) not null default '',
  path varchar(255) not null default '',
  source varchar(60) not null default '',
  sort int not null default 0,
  -- 1 menu, 2 button
  category int not null default 1 check (category in (1, 2)),
  action int not null default 0,
  is_open int not null default 1,
  remark varchar(255) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index menu_code_uq on menu (tenant_id, code) where not is_deleted;
select secure_table('menu', 'read');

create table role_menu (
  tenant_id varchar(12) not null references tenant,
  role_id bigint not null,
  menu_id bigint not null,
  primary key (tenant_id, role_id, menu_id),
  foreign key (tenant_id, role_id) references role (tenant_id, id),
  foreign key (tenant_id, menu_id) references menu (tenant_id, id)
);
select secure_table('role_menu', 'read');

create table top_menu (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  code varchar(60) not null,
  name varchar(60) not null,
  name_en varchar(100) not null,
  source varchar(60) not null default '',
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
select secure_table('top_menu', 'read');
create table top_menu_menu (
  tenant_id varchar(12) not null references tenant,
  top_menu_id bigint not null,
  menu_id bigint not null,
  primary key (tenant_id, top_menu_id, menu_id),
  foreign key (tenant_id, top_menu_id) references top_menu (tenant_id, id),
  foreign key (tenant_id, menu_id) references menu (tenant_id, id)
);
select secure_table('top_menu_menu', 'read');

-- System dictionaries belong to the platform tenant and are read by all; business dictionaries belong to each tenant.
create table dict_biz (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  parent_id bigint not null default 0,
  code varchar(60) not null,
  dict_key varchar(60) not null,
  dict_value varchar(120) not null,
  dict_value_en varchar(160) not null default '',
  sort int not null default 0,
  is_sealed int not null default 0 check (is_sealed in (0, 1)),
  remark varchar(255) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index dict_biz_key_uq on dict_biz (tenant_id, code, dict_key) where not is_deleted;
select secure_table('dict_biz', 'read');

create table dict (
  id bigint primary key default next_id(),
  parent_id bigint not null default 0,
  code varchar(60) not null,
  dict_key varchar(60) not null,
  dict_value varchar(120) not null,
  dict_value_en varchar(160) not null default '',
  sort int not null default 0,
  is_sealed int not null default 0 check (is_sealed in (0, 1)),
  remark varchar(255) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0
);
create unique index dict_key_uq on dict (code, dict_key) where not is_deleted;
grant select on dict to kaopu_staff, kaopu_candidate, kaopu_system;
grant select, insert, update, delete on dict to kaopu_platform;

create table param (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  param_name varchar(64) not null,
  param_key varchar(128) not null,
  param_value varchar(2000) not null,
  remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index param_key_uq on param (tenant_id, param_key) where not is_deleted;
select secure_table('param', 'read');

-- verify: select 1 / (select count(*) from pg_class where relname = 'account' and relforcerowsecurity)
