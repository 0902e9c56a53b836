-- Proposals to disqualify a sign-up that has passed: the person is told and may answer, somebody else decides (domain 4.2, 5 to 7; amendment A8).
-- lock: short (new table); compatible: yes

create table selection_disqualification (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  reason varchar(500) not null,
  proposed_name varchar(60) not null,
  answer_until timestamptz not null,
  state varchar(12) not null default 'proposed' check (state in ('proposed', 'disqualified', 'dismissed')),
  statement varchar(1000),
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
create unique index selection_disqualification_open_uq on selection_disqualification (tenant_id, signup_id) where state = 'proposed';
create index selection_disqualification_signup_ix on selection_disqualification (tenant_id, signup_id, id);
create index selection_disqualification_exam_ix on selection_disqualification (tenant_id, exam_id);
select secure_table('selection_disqualification');
select narrow_with_exam('selection_disqualification');

-- verify: select 1 / (select count(*)::int from information_schema.tables where table_name = 'selection_disqualification')
