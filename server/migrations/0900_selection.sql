-- From the re-review of the shortlist to the hire (domain 4.3, 4.11).
-- lock: short on signup and examine_record (columns without a default, a wider check); compatible: yes

alter table signup add column review_remark varchar(500), add column review_time timestamptz, add column review_user bigint;
-- Level 3 knows a fourth outcome: the person gave up.
alter table examine_record drop constraint examine_record_result_check, add constraint examine_record_result_check check (result between 1 and 4) not valid;
alter table examine_record validate constraint examine_record_result_check;

-- What an examination decides about deadlines and substitution; without a row the program's own values hold.
create table selection_rule (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  confirm_hours int not null,
  substitute boolean not null,
  medical_ask_days int not null,
  medical_done_days int not null,
  contacts int not null,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  primary key (tenant_id, exam_id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
select secure_table('selection_rule');
select narrow_with_exam('selection_rule');

-- A person of the shortlist, from the call to the re-review on. The state of the re-review and the stage stand on the sign-up.
create table selection_person (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  signup_id bigint not null,
  exam_id bigint not null,
  user_id bigint not null,
  code varchar(20) not null,
  -- 1 on the list at first, 2 moved up; 0 where the examination had no re-review
  kind int not null check (kind between 0 and 2),
  rank int,
  -- as published when the person was called
  score varchar(12),
  files jsonb not null default '[]',
  advisements jsonb not null default '[]',
  -- from the medical check on: 1 in the first round, 2 moved up
  stage_kind int check (stage_kind in (1, 2)),
  stage_rank int,
  stage_total varchar(12),
  step varchar(12) not null default 'open' check (step in ('open', 'passed', 'failed', 'gaveUp', 'rechecking', 'failing')),
  step_date date,
  step_remark varchar(200),
  -- until when a second medical check may be asked for, or is due
  step_until timestamptz,
  rechecked boolean not null default false,
  ended_stage int,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index selection_person_signup_uq on selection_person (tenant_id, signup_id);
create index selection_person_exam_ix on selection_person (tenant_id, exam_id, code);
create index selection_person_owner_ix on selection_person (tenant_id, user_id);
create index selection_person_until_ix on selection_person (tenant_id, step_until) where step = 'failing';
select secure_table('selection_person', 'own-read');
select narrow_with_exam('selection_person');

-- A call that has to be answered until a deadline.
create table selection_call (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  stage int not null,
  kind int not null check (kind in (1, 2)),
  deadline timestamptz not null,
  state varchar(12) not null default 'waiting' check (state in ('waiting', 'confirmed', 'declined', 'lapsed', 'ended')),
  answered_at timestamptz,
  -- the officers were told that the deadline passed without proof of notice
  unproven_told boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index selection_call_open_uq on selection_call (tenant_id, signup_id) where state = 'waiting';
create index selection_call_signup_ix on selection_call (tenant_id, signup_id);
create index selection_call_due_ix on selection_call (tenant_id, deadline) where state = 'waiting';
select secure_table('selection_call', 'own-read');
select narrow_with_exam('selection_call');

-- Telephone calls to somebody who was called (append-only).
create table selection_contact (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  call_id bigint not null,
  outcome int not null check (outcome between 1 and 4),
  note varchar(200),
  by_name varchar(60) not null,
  created_by bigint not null, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, call_id) references selection_call (tenant_id, id)
);
create index selection_contact_call_ix on selection_contact (tenant_id, call_id);
select secure_table('selection_contact', 'none', 'user_id', true);
select narrow_with_exam('selection_contact');

-- Every step with its reason (append-only): what the chain of substitution is read from.
create table selection_step (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  code varchar(20) not null,
  -- null: about the post
  signup_id bigint,
  user_id bigint,
  -- whom the person stands in for
  other_id bigint,
  stage int not null,
  kind varchar(20) not null,
  facts jsonb not null default '{}',
  by_name varchar(60),
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create index selection_step_exam_ix on selection_step (tenant_id, exam_id, code, id);
create index selection_step_signup_ix on selection_step (tenant_id, signup_id);
select secure_table('selection_step', 'own-read', 'user_id', true);
select narrow_with_exam('selection_step');

-- Objections made while a list is public.
create table selection_objection (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  content varchar(1000) not null,
  source varchar(100),
  -- 1 open, 2 unfounded, 3 upheld
  state int not null default 1 check (state between 1 and 3),
  decision varchar(1000),
  by_name varchar(60) not null,
  decided_by bigint, decided_name varchar(60), decided_at timestamptz,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index selection_objection_exam_ix on selection_objection (tenant_id, exam_id, signup_id);
select secure_table('selection_objection');
select narrow_with_exam('selection_objection');

-- Which people a publicity list named; the notice itself says from when to when it was public.
create table selection_publicity (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  notice_id bigint not null,
  signup_id bigint not null,
  primary key (tenant_id, notice_id, signup_id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index selection_publicity_signup_ix on selection_publicity (tenant_id, signup_id);
select secure_table('selection_publicity', 'none', 'signup_id', true);
select narrow_with_exam('selection_publicity');

-- verify: select 1 / (select count(*) from pg_policies where tablename = 'selection_person' and policyname = 'within_departments')
