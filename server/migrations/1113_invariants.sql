-- Checks of what should be true of all data: runs, when each was looked at in each tenant, and the rows that do not agree.
-- lock: none (new tables); compatible: yes

-- One of the platform's own tenant looks at all tenants, one of another tenant at that one.
create table invariant_run (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  state smallint not null default 1 check (state between 1 and 4),
  total int not null default 0 check (total >= 0),
  done int not null default 0 check (done >= 0),
  found int not null default 0 check (found >= 0),
  stop_wanted boolean not null default false,
  -- number of the process that runs it; null while it waits in the queue
  runner bigint,
  started_by bigint,
  started_at timestamptz not null default app_now(),
  ended_at timestamptz,
  problem varchar(300) not null default '',
  primary key (tenant_id, id),
  check ((ended_at is null) = (state = 1))
);
create unique index invariant_run_going_uq on invariant_run (tenant_id) where state = 1;
select secure_table('invariant_run');

create table invariant_state (
  tenant_id varchar(12) not null references tenant,
  name varchar(60) not null,
  found int not null default 0 check (found >= 0),
  -- there are more than were read
  is_more boolean not null default false,
  -- since when it does not hold: of one opening people are told once
  opened_at timestamptz,
  checked_at timestamptz not null default app_now(),
  took_ms int not null default 0,
  problem_zh varchar(300) not null default '',
  problem_en varchar(300) not null default '',
  primary key (tenant_id, name)
);
select secure_table('invariant_state');

create table invariant_finding (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  name varchar(60) not null,
  row_id varchar(120) not null,
  exam_id bigint,
  row_name varchar(200) not null,
  found varchar(200) not null,
  expected varchar(200) not null,
  first_at timestamptz not null default app_now(),
  last_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create unique index invariant_finding_row_uq on invariant_finding (tenant_id, name, row_id);
select secure_table('invariant_finding');

-- verify: select 1 / (count(*) / 3) from pg_class where relname in ('invariant_run', 'invariant_state', 'invariant_finding')
