-- Sign-ups, their history and drafts, review records and locks (domain 3.7–3.9).
-- lock: none (new tables); compatible: yes

create table signup (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  user_id bigint not null,
  province varchar(6), city varchar(6), area varchar(6),
  code varchar(20), type varchar(20), unit varchar(20),
  code2 varchar(20), type2 varchar(20), unit2 varchar(20),
  -- answers by item key; sensitive = 2 values are {"e": sealed}
  content jsonb not null default '{}',
  files jsonb not null default '[]',
  examine varchar(12) not null default 'draft'
    check (examine in ('draft', 'waiting', 'second', 'returned', 'refused', 'passed', 'withdrawn', 'disqualified')),
  examine_remark varchar(500), examine_time timestamptz,
  name varchar(50), name_rare boolean not null default false,
  id_card_type varchar(4), id_card_sealed bytea, id_card_index char(64), id_card_mask varchar(24),
  phone_sealed bytea, phone_index char(64), phone_mask varchar(20),
  sex int, birthday date, nation varchar(10), education varchar(10), degree varchar(10), major varchar(100), school varchar(100),
  photo_file_id bigint,
  sign_no varchar(16),
  sign_version int not null default 0,
  submit_time timestamptz, first_submit_time timestamptz,
  source int not null default 1 check (source between 1 and 3),
  adjust boolean not null default false,
  examine_level int not null default 1 check (examine_level in (1, 2)),
  reviewer1_id bigint, reviewer1_time timestamptz, reviewer2_id bigint, reviewer2_time timestamptz,
  change_post_count int not null default 0,
  pay_state varchar(10) not null default 'none' check (pay_state in ('none', 'due', 'paid', 'refunding', 'refunded', 'overdue')),
  reduction_state int not null default 0,
  stage int not null default 1 check (stage between 1 and 9),
  review_state int not null default 0,
  shortlist int not null default 0,
  promise_hash char(64), promise_time timestamptz, promise_ip varchar(45), signature_file_id bigint,
  integrity_flag boolean not null default false,
  auto_check jsonb not null default '[]',
  -- ok, warn or no: the worst of auto_check
  auto_result varchar(4),
  -- 0 not looked at, 1 good, 2 not good
  photo_state int not null default 0 check (photo_state between 0 and 2),
  extend_until timestamptz,
  relatives jsonb not null default '[]',
  -- what a returned sign-up may change, and what it looked like when it was returned
  advisements jsonb not null default '[]',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
-- One sign-up per person and examination; withdrawn rows are re-opened, not duplicated.
create unique index signup_user_uq on signup (tenant_id, exam_id, user_id) where not is_deleted;
create unique index signup_id_card_uq on signup (tenant_id, exam_id, id_card_index) where not is_deleted and id_card_index is not null;
create unique index signup_sign_no_uq on signup (tenant_id, sign_no) where sign_no is not null;
create index signup_queue_ix on signup (tenant_id, exam_id, examine, submit_time) include (id);
create index signup_unit_ix on signup (tenant_id, exam_id, unit, code, examine);
create index signup_code_ix on signup (tenant_id, exam_id, code, examine);
create index signup_name_ix on signup (tenant_id, exam_id, submit_time desc) include (name, id);
create index signup_owner_ix on signup (tenant_id, user_id);
create index signup_person_ix on signup (tenant_id, id_card_index);
create index signup_phone_ix on signup (tenant_id, phone_index);
select secure_table('signup', 'own');

-- Every submitted version as it was (append-only).
create table signup_history (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  signup_id bigint not null,
  user_id bigint not null,
  sign_version int not null,
  code varchar(20), code2 varchar(20),
  content jsonb not null,
  files jsonb not null,
  auto_check jsonb not null default '[]',
  created_by bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index signup_history_version_uq on signup_history (tenant_id, signup_id, sign_version);
select secure_table('signup_history', 'own', 'user_id', true);

-- Autosaves while a version is under review: editing never damages what a reviewer reads.
create table signup_draft (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  user_id bigint not null,
  data jsonb not null,
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, exam_id, user_id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
select secure_table('signup_draft', 'own');

-- Review decisions (append-only but for the undo mark).
create table examine_record (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  signup_id bigint not null,
  exam_id bigint not null,
  user_id bigint not null,
  sign_version int not null,
  -- 1 first, 2 second, 3 eligibility re-review, 4 correction by an administrator
  level int not null check (level between 1 and 4),
  -- 1 pass, 2 return, 3 refuse
  result int not null check (result between 1 and 3),
  remark varchar(500),
  advisements jsonb not null default '[]',
  before_state varchar(12) not null, after_state varchar(12) not null,
  examiner_id bigint not null, examiner_name varchar(60) not null,
  duration_ms int,
  undone boolean not null default false,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index examine_record_signup_ix on examine_record (tenant_id, signup_id, id);
select secure_table('examine_record', 'own-read');

-- Who holds a sign-up for review: at most one live row per sign-up and level.
create table examine_allot (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  level int not null check (level between 1 and 3),
  reviewer_id bigint not null,
  reviewer_name varchar(60) not null,
  -- 0 waiting, 1 locked, 2 done, 3 moved away
  state int not null default 0 check (state between 0 and 3),
  opened_at timestamptz,
  lock_until timestamptz,
  reason varchar(200),
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index examine_allot_live_uq on examine_allot (tenant_id, signup_id, level) where state < 2;
create index examine_allot_reviewer_ix on examine_allot (tenant_id, exam_id, reviewer_id, state);
select secure_table('examine_allot');

-- Conflicts of interest.
create table recuse (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  reviewer_id bigint not null,
  signup_id bigint,
  id_card_index char(64),
  unit varchar(20),
  reason varchar(200) not null,
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
select secure_table('recuse');

-- People who may not sign up (regulation records); the number is kept as an index only.
create table integrity_list (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  id_card_index char(64) not null,
  name_mask varchar(60) not null,
  reason varchar(200) not null,
  begin_date date not null, end_date date,
  source varchar(100),
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index integrity_list_person_ix on integrity_list (tenant_id, id_card_index);
select secure_table('integrity_list');

-- verify: select 1 / (select count(*) from pg_class where relname = 'signup' and relforcerowsecurity)
