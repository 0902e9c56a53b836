-- The day of the examination: who came, marked at the door on devices that may be without a network, and violations with two signatures.
-- lock: none (new tables); compatible: yes

create table exam_day_mark (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- given by the device, so that nothing is taken twice
  mark_id uuid not null,
  exam_id bigint not null,
  item_id bigint not null,
  ticket_id bigint not null,
  -- 0 taken back, 1 present, 2 late, 3 absent, 4 note
  kind int not null check (kind between 0 and 4),
  note varchar(200) not null default '',
  -- marks of the same ticket that the device knew of
  replaces uuid[] not null default '{}',
  made_at timestamptz not null,
  device varchar(40) not null,
  created_by bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id),
  foreign key (tenant_id, ticket_id) references ticket (tenant_id, id)
);
create unique index exam_day_mark_uq on exam_day_mark (tenant_id, mark_id);
create index exam_day_mark_ticket_ix on exam_day_mark (tenant_id, ticket_id, id);
create index exam_day_mark_item_ix on exam_day_mark (tenant_id, item_id);
create index exam_day_mark_exam_ix on exam_day_mark (tenant_id, exam_id);
select secure_table('exam_day_mark', 'none', 'user_id', true);
select narrow_with_exam('exam_day_mark');

-- What the marks of a ticket come to, written with each of them.
create table exam_day_state (
  tenant_id varchar(12) not null references tenant,
  ticket_id bigint not null,
  exam_id bigint not null,
  item_id bigint not null,
  -- 0 nothing known, 1 present, 2 late, 3 absent
  state int not null check (state between 0 and 3),
  primary key (tenant_id, ticket_id),
  foreign key (tenant_id, ticket_id) references ticket (tenant_id, id)
);
create index exam_day_state_item_ix on exam_day_state (tenant_id, exam_id, item_id);
select secure_table('exam_day_state');
select narrow_with_exam('exam_day_state');

create table exam_violation (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  violation_id uuid not null,
  exam_id bigint not null,
  item_id bigint not null,
  ticket_id bigint not null,
  clause varchar(20) not null,
  facts varchar(1000) not null,
  happened_at timestamptz not null,
  first_signer varchar(50) not null,
  second_signer varchar(50) not null,
  first_signature_file_id bigint not null,
  second_signature_file_id bigint not null,
  evidence_file_ids bigint[] not null default '{}',
  device varchar(40) not null,
  state varchar(10) not null default 'filed' check (state in ('filed', 'confirmed', 'dismissed')),
  decision varchar(500),
  decided_by bigint, decided_at timestamptz,
  created_by bigint not null, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id),
  foreign key (tenant_id, ticket_id) references ticket (tenant_id, id),
  check ((state = 'filed') = (decided_at is null)),
  check (decided_by is null or decided_by <> created_by)
);
create unique index exam_violation_uq on exam_violation (tenant_id, violation_id);
create index exam_violation_exam_ix on exam_violation (tenant_id, exam_id, state, id);
create index exam_violation_item_ix on exam_violation (tenant_id, item_id);
create index exam_violation_ticket_ix on exam_violation (tenant_id, ticket_id);
select secure_table('exam_violation');
select narrow_with_exam('exam_violation');

-- verify: select 1 / (count(*) / 3) from pg_policies where tablename in ('exam_day_mark', 'exam_day_state', 'exam_violation') and policyname = 'within_departments'
