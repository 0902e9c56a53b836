-- What the shells report and show: errors of the browsers, phones that staff have proven to be theirs.
-- lock: short (account: one nullable column and an index); compatible: yes

create table error_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null default 0,
  account varchar(60) not null default '',
  -- browser or server
  source varchar(10) not null check (source in ('browser', 'server')),
  kind varchar(40) not null default '',
  message varchar(4000) not null default '',
  stack_trace text not null default '',
  info varchar(4000) not null default '',
  -- address of the page or of the call, without the values of its query
  request_uri varchar(500) not null default '',
  remote_ip varchar(45), user_agent varchar(300), trace_id varchar(40),
  -- when the browser says that it happened; its clock may be wrong
  client_time varchar(40) not null default '',
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index error_log_user_ix on error_log (tenant_id, user_id, created_at);
select secure_table('error_log');

-- A phone logs a member of staff in only after an SMS code has proven it, and then it is one person's.
alter table account add column phone_verified_at timestamptz;
create unique index account_staff_phone_uq on account (tenant_id, phone_index) where not is_deleted and user_type = 1 and phone_verified_at is not null;

-- verify: select 1 / (select count(*) from pg_class where relname = 'error_log' and relforcerowsecurity)
