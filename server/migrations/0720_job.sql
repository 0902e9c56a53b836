-- Scheduled jobs: where they run, what runs when, each run with its log, and the processes that run them.
-- lock: none (new tables); compatible: yes

create table job_server (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  job_server_name varchar(60) not null,
  -- Empty: the scheduler of the program itself.
  job_server_url varchar(255) not null default '',
  job_app_name varchar(100) not null,
  password_sealed bytea,
  state int not null default 0 check (state in (0, 1, 2, 3)),
  server_version varchar(20) not null default '',
  is_open boolean not null default false,
  problem varchar(500) not null default '',
  checked_time timestamptz,
  job_remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index job_server_name_uq on job_server (tenant_id, job_server_name) where not is_deleted;
create unique index job_server_built_in_uq on job_server (tenant_id) where job_server_url = '' and not is_deleted;
create unique index job_server_app_uq on job_server (tenant_id, job_server_url, job_app_name) where not is_deleted;
select secure_table('job_server');

create table job_info (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  job_server_id bigint not null,
  job_id varchar(20),
  job_name varchar(100) not null,
  job_description varchar(500),
  job_params varchar(2000),
  enable int not null default 1 check (enable in (0, 1)),
  lifecycle varchar(40),
  time_expression_type int not null default 2,
  time_expression varchar(200),
  execute_type int not null default 1,
  processor_type int not null default 1,
  processor_info varchar(255) not null,
  dispatch_strategy int not null default 1,
  max_instance_num int not null default 0,
  concurrency int not null default 5,
  instance_time_limit int not null default 0,
  instance_retry_num int not null default 0,
  task_retry_num int not null default 0,
  missed_policy int not null default 1 check (missed_policy in (1, 2, 3)),
  min_cpu_cores numeric(14, 2) not null default 0,
  min_memory_space numeric(14, 2) not null default 0,
  min_disk_space numeric(14, 2) not null default 0,
  designated_workers varchar(500),
  max_worker_count int not null default 0,
  notify_user_ids varchar(500),
  alert_threshold int not null default 0,
  statistic_window_len int not null default 0,
  silence_window_len int not null default 0,
  log_type int not null default 1,
  log_level int not null default 2,
  extra varchar(500),
  -- Work of the program itself.
  is_own boolean not null default false,
  next_time timestamptz,
  -- When next_time was worked out: a clock that is before it has gone back.
  planned_at timestamptz not null default app_now(),
  last_time timestamptz,
  last_state int,
  alarmed_at timestamptz,
  -- The job as its PowerJob server told it last: what we do not know goes back as it came.
  remote jsonb,
  remote_time timestamptz,
  synced_at timestamptz,
  sync_problem varchar(500),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, job_server_id) references job_server (tenant_id, id)
);
create index job_info_due_ix on job_info (next_time) where next_time is not null and enable = 1 and not is_deleted;
create index job_info_server_ix on job_info (tenant_id, job_server_id);
create unique index job_info_remote_uq on job_info (tenant_id, job_server_id, job_id) where job_id is not null and not is_deleted;
create unique index job_info_own_uq on job_info (tenant_id, processor_info) where is_own and not is_deleted;
select secure_table('job_info');

create table job_instance (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  job_info_id bigint not null,
  -- Id at the PowerJob server: text, for it exceeds what JavaScript counts.
  instance_id varchar(20),
  -- The run that this is a part of.
  parent_id bigint,
  part int,
  item varchar(2000),
  kind int not null default 1 check (kind in (1, 2, 3)),
  state int not null default 1 check (state in (1, 2, 3, 4, 5, 9, 10)),
  due_at timestamptz not null,
  -- Not begun before; later than due for another try.
  run_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  attempt int not null default 0,
  -- Counts the takers: an end that is told under an older number is not taken.
  fence int not null default 0,
  runner bigint,
  -- The only process that may take it, of a broadcast.
  target_runner bigint,
  host varchar(130),
  stop_wanted boolean not null default false,
  params varchar(2000),
  result varchar(2000),
  started_by bigint,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, job_info_id) references job_info (tenant_id, id),
  foreign key (tenant_id, parent_id) references job_instance (tenant_id, id) on delete cascade
);
-- A due time is run once, over any number of processes and however the clock moves.
create unique index job_instance_due_uq on job_instance (tenant_id, job_info_id, due_at) where kind = 1 and parent_id is null;
create index job_instance_waiting_ix on job_instance (run_at) where state = 1;
create index job_instance_running_ix on job_instance (runner) where state = 3;
create index job_instance_live_ix on job_instance (tenant_id, job_info_id) where state in (1, 2, 3) and parent_id is null;
create index job_instance_job_ix on job_instance (tenant_id, job_info_id, id);
create index job_instance_parent_ix on job_instance (tenant_id, parent_id) where parent_id is not null;
create index job_instance_ended_ix on job_instance (ended_at) where ended_at is not null;
select secure_table('job_instance');

create table job_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  job_instance_id bigint not null,
  at timestamptz not null default app_now(),
  level int not null check (level in (1, 2, 3, 4)),
  content varchar(1000) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, job_instance_id) references job_instance (tenant_id, id) on delete cascade
);
create index job_log_instance_ix on job_log (tenant_id, job_instance_id, id);
select secure_table('job_log');

-- Processes that run jobs, by the lock that says each lives. They belong to the installation.
create table job_runner (
  runner bigint primary key,
  host varchar(130) not null,
  started_at timestamptz not null default now()
);
grant select, insert, update, delete on job_runner to kaopu_platform;

-- verify: select 1 / (select count(*) from pg_policies where tablename = 'job_log' and policyname = 'tenant_staff')
