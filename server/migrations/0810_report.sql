-- Reports that people put together: what they ask for, who sees them, when they are sent, and their runs with their results.
-- lock: none (new tables); compatible: yes

create table report (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  report_name varchar(100) not null,
  data_set varchar(60) not null,
  -- of the data set when the report was saved
  data_set_version int not null,
  design jsonb not null,
  -- whose rights a run on schedule uses
  owner_id bigint not null,
  cron varchar(200) not null default '',
  next_time timestamptz,
  people jsonb not null default '[]',
  link_days int not null default 7 check (link_days between 1 and 30),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references account (tenant_id, id)
);
create unique index report_name_uq on report (tenant_id, report_name) where not is_deleted;
create index report_due_ix on report (next_time) where next_time is not null and not is_deleted;
select secure_table('report');

-- Roles that see a report; without one its owner sees it alone.
create table report_role (
  tenant_id varchar(12) not null references tenant,
  report_id bigint not null,
  role_id bigint not null,
  primary key (tenant_id, report_id, role_id),
  foreign key (tenant_id, report_id) references report (tenant_id, id) on delete cascade,
  foreign key (tenant_id, role_id) references role (tenant_id, id) on delete cascade
);
select secure_table('report_role');

create table report_run (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  report_id bigint not null,
  report_name varchar(100) not null,
  design jsonb not null,
  -- 0 waiting, 3 at work, 4 done, 5 failed, 6 cancelled
  state int not null default 0 check (state in (0, 3, 4, 5, 6)),
  progress int not null default 0 check (progress between 0 and 100),
  -- with whose rights, as they were when the run was ordered
  user_id bigint not null,
  session jsonb not null,
  language varchar(2) not null,
  -- The due time of a run on schedule.
  due_at timestamptz,
  -- Cells with their words in both languages; none before the end.
  result jsonb,
  problem_zh varchar(300), problem_en varchar(300),
  created_at timestamptz not null default app_now(),
  started_at timestamptz, ended_at timestamptz,
  expires_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references report (tenant_id, id)
);
-- A due time is run once, over any number of processes.
create unique index report_run_due_uq on report_run (tenant_id, report_id, due_at) where due_at is not null;
create index report_run_user_ix on report_run (tenant_id, user_id, id desc);
create index report_run_report_ix on report_run (tenant_id, report_id, id desc);
create index report_run_ended_ix on report_run (ended_at) where ended_at is not null;
select secure_table('report_run');

-- To whom a run was sent, and until when it opens for them.
create table report_reader (
  tenant_id varchar(12) not null references tenant,
  run_id bigint not null,
  user_id bigint not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  -- Why it was not sent to them; they cannot open it.
  refused_zh varchar(200), refused_en varchar(200),
  primary key (tenant_id, run_id, user_id),
  foreign key (tenant_id, run_id) references report_run (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
select secure_table('report_reader');

-- verify: select 1 / (select count(*) from pg_policies where tablename = 'report_reader' and policyname = 'tenant_staff')
