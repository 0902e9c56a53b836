-- Proposals to restore a sign-up that was disqualified: made by one person, decided by an administrator who is another (domain 4.2, 7 to 5).
-- lock: short (new table, one function); compatible: yes

create table selection_restoration (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  reason varchar(500) not null,
  proposed_name varchar(60) not null,
  state varchar(10) not null default 'proposed' check (state in ('proposed', 'granted', 'dismissed')),
  decision varchar(500),
  decided_by bigint, decided_name varchar(60), decided_at timestamptz,
  created_by bigint not null, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  check ((state = 'proposed') = (decided_at is null)),
  check (decided_by is distinct from created_by)
);
-- One proposal at a time.
create unique index selection_restoration_open_uq on selection_restoration (tenant_id, signup_id) where state = 'proposed';
create index selection_restoration_signup_ix on selection_restoration (tenant_id, signup_id, id);
create index selection_restoration_exam_ix on selection_restoration (tenant_id, exam_id);
select secure_table('selection_restoration');
select narrow_with_exam('selection_restoration');

do $$
begin
  execute replace(pg_get_functiondef('kept_for(text)'::regprocedure), '''integrity_decide''', '''integrity_decide'', ''recheck_uphold''');
end $$;

-- verify: select 1 / (kept_for('recheck_uphold') = '{admin}' and kept_for('integrity_decide') = '{admin}' and kept_for('recheck_restore') is null)::int
