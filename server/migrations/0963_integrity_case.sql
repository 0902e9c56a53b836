-- What a violation becomes in the archive of integrity: proposed with its reason, answered by the person, recorded or not by the administrator.
-- lock: short (new table; a column of integrity_list); compatible: yes

create table integrity_case (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  -- where it was found: a violation of the day, or a result that was released as one
  source varchar(10) not null check (source in ('violation', 'result')),
  source_id bigint not null,
  id_card_index char(64) not null,
  name_mask varchar(60) not null,
  reason varchar(1200) not null,
  answer_until timestamptz not null,
  statement varchar(1000),
  state varchar(10) not null default 'proposed' check (state in ('proposed', 'recorded', 'dismissed', 'lifted')),
  level varchar(4) check (level in ('y1', 'y2', 'y5', 'life')),
  decision varchar(500),
  decided_by bigint, decided_at timestamptz,
  listed_id bigint,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  foreign key (tenant_id, listed_id) references integrity_list (tenant_id, id),
  check ((state = 'proposed') = (decided_at is null)),
  check ((state in ('recorded', 'lifted')) = (listed_id is not null)),
  check ((level is null) = (listed_id is null))
);
create unique index integrity_case_source_uq on integrity_case (tenant_id, source, source_id);
create index integrity_case_signup_ix on integrity_case (tenant_id, signup_id);
create index integrity_case_exam_ix on integrity_case (tenant_id, exam_id);
create index integrity_case_listed_ix on integrity_case (tenant_id, listed_id);
create index integrity_case_state_ix on integrity_case (tenant_id, state, id);
select secure_table('integrity_case');
select narrow_with_exam('integrity_case');

-- verify: select 1 / (select count(*)::int from information_schema.tables where table_name = 'integrity_case')
