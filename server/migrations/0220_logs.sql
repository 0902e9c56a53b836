-- What went on: calls (api), what the program says about its own work (usual), errors of the server beside those of the browsers.
-- lock: short (error_log: columns with constant defaults, one index); compatible: yes

create table api_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null default 0,
  account varchar(60) not null default '',
  -- 1 staff, 2 candidate, 3 service account; null for nobody
  user_type int,
  method varchar(4) not null,
  -- the declared path, without the values of its parameters
  path varchar(200) not null,
  status int not null,
  -- why it was refused
  reason varchar(80) not null default '',
  duration_ms int not null,
  -- numbers, ids, times and declared words; of everything else its length alone
  params varchar(2000) not null default '',
  remote_ip varchar(45) not null default '', user_agent varchar(300) not null default '', trace_id varchar(40) not null default '',
  server_host varchar(80) not null default '',
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index api_log_time_ix on api_log (tenant_id, created_at, id);
select secure_table('api_log', 'none', 'user_id', true);

create table usual_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- 1 debug, 2 info, 3 warn, 4 error
  level int not null check (level between 1 and 4),
  -- what speaks: a task, `program`, `log`
  log_id varchar(80) not null,
  log_data varchar(4000) not null default '',
  server_host varchar(80) not null default '',
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index usual_log_time_ix on usual_log (tenant_id, created_at, id);
select secure_table('usual_log', 'none', 'id', true);

-- The lines are written by the program for all tenants together and by nobody in a tenant's name; only what is too old goes.
revoke insert on api_log, usual_log from kaopu_staff, kaopu_system;
grant delete on api_log, usual_log to kaopu_platform;

alter table error_log
  add column method varchar(4) not null default '',
  add column file_name varchar(200) not null default '',
  add column line_number int,
  -- errors of one digest have one cause
  add column digest varchar(16) not null default '',
  -- how often it happened until the next line of the same digest
  add column occurrences int not null default 1,
  add column server_host varchar(80) not null default '';
create index error_log_time_ix on error_log (tenant_id, created_at, id);
revoke update, delete on error_log from kaopu_staff, kaopu_system;

-- verify: select 1 / (select count(*)::int / 2 from pg_class where relname in ('api_log', 'usual_log') and relforcerowsecurity)
