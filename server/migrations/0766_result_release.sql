-- Releases of results that are ordered for a time: a job looks for them every minute. Orders that the queue holds already are still done by it.
-- lock: none (new table); compatible: yes

create table result_release (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_ids bigint[] not null check (cardinality(item_ids) > 0),
  run_at timestamptz not null,
  show_rank boolean not null,
  show_line boolean not null,
  sms boolean not null,
  -- who releases; the job acts in their name
  ordered_by bigint not null,
  state varchar(10) not null default 'waiting' check (state in ('waiting', 'done', 'skipped', 'replaced')),
  -- why it was skipped
  reason varchar(60),
  created_at timestamptz not null default app_now(),
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create index result_release_due_ix on result_release (run_at) where state = 'waiting';
create index result_release_exam_ix on result_release (tenant_id, exam_id);
select secure_table('result_release');
select narrow_with_exam('result_release');

-- verify: select 1 / (select count(*) from pg_policies where tablename = 'result_release' and policyname = 'within_departments')
