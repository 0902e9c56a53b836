-- Candidates ask to have a released score looked at again (成绩复查): in a window of the examination, once a paper, with an answer in their account.
-- lock: none (new tables); compatible: yes

create table score_recheck_window (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  begins timestamptz not null,
  ends timestamptz not null,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, exam_id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  check (begins < ends)
);
select secure_table('score_recheck_window', 'read');
select narrow_with_exam('score_recheck_window');

create table score_recheck (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  result_id bigint not null,
  reason varchar(300) not null,
  -- the score when it was asked about
  asked_score numeric(6, 2),
  state varchar(10) not null default 'asked' check (state in ('asked', 'unchanged', 'changed')),
  answer varchar(500),
  answered_by bigint, answered_at timestamptz,
  created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  foreign key (tenant_id, result_id) references result (tenant_id, id),
  check ((state = 'asked') = (answered_at is null) and (state = 'asked') = (answer is null))
);
create unique index score_recheck_paper_uq on score_recheck (tenant_id, exam_id, item_id, signup_id);
create index score_recheck_exam_ix on score_recheck (tenant_id, exam_id, state, id);
create index score_recheck_result_ix on score_recheck (tenant_id, result_id);
select secure_table('score_recheck', 'own');
select narrow_with_exam('score_recheck');

-- verify: select 1 / (count(*) / 2) from pg_policies where tablename in ('score_recheck', 'score_recheck_window') and policyname = 'within_departments'
