-- Exports that are made in the background (decision 4.7): what was asked for, how far it is, the file and until when it can be fetched.
-- lock: none (new table); compatible: yes

create table export_job (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- method and path of the call that ordered it, and what it was called with
  kind varchar(160) not null,
  input jsonb not null default '{}',
  -- who ordered it, with the rights of that moment: the rows are those the caller would have been sent at once
  session jsonb not null,
  language varchar(2) not null check (language in ('zh', 'en')),
  file_name varchar(255) not null,
  -- 0 queued, 3 writing, 4 done, 5 failed, 6 cancelled, 7 expired: the numbers of import_job where they mean the same
  state int not null default 0 check (state in (0, 3, 4, 5, 6, 7)),
  total int not null, done int not null default 0,
  file_id bigint, size_bytes bigint,
  problem_zh varchar(300), problem_en varchar(300),
  cancel_asked boolean not null default false,
  started_at timestamptz, beat_at timestamptz, ended_at timestamptz, expires_at timestamptz,
  created_by bigint not null, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index export_job_owner_ix on export_job (tenant_id, created_by, id desc);
select secure_table('export_job', 'own', 'created_by');

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'export_job' and relforcerowsecurity)
