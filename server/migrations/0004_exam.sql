-- Examinations, their papers, posts, form fields and required files (domain 3.1–3.6).
-- lock: none (new tables); compatible: yes

create table user_code (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  code varchar(20) not null,
  name varchar(60) not null,
  -- 1 hiring unit, 2 exam site, 3 school, 4 other
  code_kind int not null check (code_kind between 1 and 4),
  parent_code varchar(20),
  dept_id bigint,
  contact varchar(40),
  phone varchar(60),
  address varchar(200),
  area varchar(6),
  sort int not null default 0,
  status int not null default 1 check (status in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index user_code_code_uq on user_code (tenant_id, code) where not is_deleted;
select secure_table('user_code', 'read');

create table examination (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_name varchar(100) not null,
  exam_code varchar(20) not null,
  exam_no int not null check (exam_no between 1 and 99),
  year int not null check (year between 2000 and 2099),
  exam_type int not null check (exam_type between 1 and 5),
  state varchar(10) not null default 'draft' check (state in ('draft', 'released', 'closed', 'archived')),
  organizer varchar(100) not null default '',
  undertaker varchar(100),
  contact_phone varchar(60) not null default '',
  cover_file_id bigint,
  description text not null default '',
  notice_id bigint,
  promise text not null default '',
  sign_begin timestamptz, sign_end timestamptz, modify_end timestamptz,
  examine_begin timestamptz, examine_end timestamptz, appeal_end timestamptz,
  pay_begin timestamptz, pay_end timestamptz,
  pay_limit_minutes int not null default 30 check (pay_limit_minutes between 5 and 120),
  adjust_begin timestamptz, adjust_end timestamptz,
  ticket_begin timestamptz, ticket_end timestamptz,
  ms_ticket_begin timestamptz, ms_ticket_end timestamptz,
  score_begin timestamptz,
  -- 0 free, 1 per person, 2 per paper, 3 per post
  fee_mode int not null default 0 check (fee_mode between 0 and 3),
  fee_fen int not null default 0 check (fee_fen >= 0),
  -- 1 after examine passed, 2 on submit, 3 by import only
  pay_when int not null default 1 check (pay_when between 1 and 3),
  allow_second boolean not null default false,
  allow_adjust boolean not null default false,
  allow_change_post boolean not null default false,
  change_post_max int not null default 3 check (change_post_max between 0 and 9),
  examine_levels int not null default 1 check (examine_levels in (1, 2)),
  allot_mode int not null default 0 check (allot_mode between 0 and 4),
  allow_same_reviewer boolean not null default false,
  open_ratio int not null default 3 check (open_ratio between 0 and 99),
  ratio_basis int not null default 2 check (ratio_basis in (1, 2)),
  shortlist_ratio int not null default 3 check (shortlist_ratio between 1 and 99),
  written_weight numeric(5,2) not null default 50, interview_weight numeric(5,2) not null default 50,
  score_scale int not null default 2 check (score_scale between 0 and 4),
  pass_score numeric(6,2), interview_pass numeric(6,2),
  tie_break jsonb not null default '["written"]',
  region_label varchar(20) not null default '户籍所在地',
  refund_policy int not null default 0 check (refund_policy in (0, 1)),
  hide_counts boolean not null default false,
  need_signature boolean not null default false,
  managers jsonb not null default '[]',
  release_at timestamptz, release_by bigint,
  close_at timestamptz, close_by bigint, close_reason varchar(200),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  check (written_weight + interview_weight = 100)
);
create unique index examination_name_uq on examination (tenant_id, exam_name) where not is_deleted;
create unique index examination_code_uq on examination (tenant_id, exam_code) where not is_deleted;
create unique index examination_no_uq on examination (tenant_id, year, exam_no) where not is_deleted;
-- A candidate sees released examinations only; staff see drafts.
select secure_table('examination', 'read');
create policy candidate_released on examination as restrictive for select to kaopu_candidate using (state <> 'draft' and not is_deleted);

-- The running number of sign-ups; a row of its own so that numbering does not lock the examination.
create table exam_counter (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  sign_seq int not null default 0,
  primary key (tenant_id, exam_id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
select secure_table('exam_counter');

-- Public "change record" lines (domain 4.1).
create table exam_change (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  content_zh varchar(500) not null, content_en varchar(800) not null,
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
select secure_table('exam_change', 'read');

create table exam_item (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_name varchar(50) not null,
  item_code varchar(4) not null,
  -- 1 written, 2 interview, 3 practical, 4 physical
  item_type int not null check (item_type between 1 and 4),
  start_time timestamptz not null, end_time timestamptz not null, report_time timestamptz,
  late_minutes int not null default 0,
  full_score numeric(6,2) not null default 100,
  pass_score numeric(6,2),
  weight numeric(5,2) not null default 100,
  fee_fen int not null default 0 check (fee_fen >= 0),
  -- post codes the paper applies to; empty = all
  type_codes jsonb not null default '[]',
  seat_group varchar(2),
  rooms jsonb not null default '[]',
  rules text,
  tools varchar(200),
  ticket_state varchar(10) not null default 'none' check (ticket_state in ('none', 'made', 'released', 'ended')),
  -- SHA-256 of the seed, published before the data are frozen; the seed itself after release (decision 4.9)
  seed_commit varchar(64), seed_sealed bytea, seed_reveal varchar(64),
  allot_version int not null default 0,
  score_state varchar(10) not null default 'none' check (score_state in ('none', 'imported', 'released')),
  score_import_by bigint, score_import_at timestamptz, score_release_by bigint, score_release_at timestamptz,
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  check (start_time < end_time)
);
create unique index exam_item_code_uq on exam_item (tenant_id, exam_id, item_code) where not is_deleted;
select secure_table('exam_item', 'read');

-- Library of form fields and its copies in an examination.
create table item (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  item_key varchar(40) not null check (item_key ~ '^[a-z][A-Za-z0-9]*$'),
  item_label varchar(40) not null,
  item_label_en varchar(80),
  field_type varchar(20) not null,
  dict_code varchar(60),
  columns jsonb,
  max_rows int,
  max_len int,
  pattern varchar(200),
  min_value varchar(20), max_value varchar(20),
  placeholder varchar(100),
  help varchar(200),
  -- 0 normal, 1 personal, 2 sensitive (sealed inside content)
  sensitive int not null default 0 check (sensitive between 0 and 2),
  built_in int not null default 0 check (built_in in (0, 1)),
  sort int not null default 0,
  status int not null default 1 check (status in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index item_key_uq on item (tenant_id, item_key) where not is_deleted;
select secure_table('item');

create table sign_item (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  items_id bigint,
  item_key varchar(40) not null check (item_key ~ '^[a-z][A-Za-z0-9]*$'),
  item_label varchar(40) not null,
  item_label_en varchar(80),
  field_type varchar(20) not null,
  dict_code varchar(60),
  columns jsonb,
  max_rows int,
  max_len int,
  pattern varchar(200),
  min_value varchar(20), max_value varchar(20),
  placeholder varchar(100),
  help varchar(200),
  sensitive int not null default 0 check (sensitive between 0 and 2),
  required int not null default 0 check (required in (0, 1)),
  group_name varchar(20),
  visible_when jsonb,
  lock_after_pass int not null default 1 check (lock_after_pass in (0, 1)),
  reviewer_visible int not null default 1 check (reviewer_visible in (0, 1)),
  use_in_ticket int not null default 0 check (use_in_ticket in (0, 1)),
  use_in_export int not null default 1 check (use_in_export in (0, 1)),
  use_in_report int not null default 0 check (use_in_report in (0, 1)),
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create unique index sign_item_key_uq on sign_item (tenant_id, exam_id, item_key) where not is_deleted;
select secure_table('sign_item', 'read');

-- Library of required files and its copies in an examination.
create table file_kind (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  file_key varchar(40) not null check (file_key ~ '^[a-z][A-Za-z0-9]*$'),
  file_label varchar(40) not null,
  file_label_en varchar(80),
  kind int not null check (kind between 1 and 14),
  accept varchar(60) not null default 'jpg,jpeg,png,pdf',
  max_kb int not null default 2048 check (max_kb between 1 and 10240),
  min_kb int not null default 0,
  max_count int not null default 1 check (max_count between 1 and 10),
  pixel jsonb,
  sample_file_id bigint,
  help varchar(300),
  sort int not null default 0,
  status int not null default 1 check (status in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index file_kind_key_uq on file_kind (tenant_id, file_key) where not is_deleted;
select secure_table('file_kind');

create table sign_file (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  files_id bigint,
  file_key varchar(40) not null check (file_key ~ '^[a-z][A-Za-z0-9]*$'),
  file_label varchar(40) not null,
  file_label_en varchar(80),
  kind int not null check (kind between 1 and 14),
  accept varchar(60) not null default 'jpg,jpeg,png,pdf',
  max_kb int not null default 2048 check (max_kb between 1 and 10240),
  min_kb int not null default 0,
  max_count int not null default 1 check (max_count between 1 and 10),
  pixel jsonb,
  sample_file_id bigint,
  help varchar(300),
  required int not null default 0 check (required in (0, 1)),
  visible_when jsonb,
  -- 1 sign-up, 2 eligibility re-review
  stage int not null default 1 check (stage in (1, 2)),
  watermark int not null default 1 check (watermark in (0, 1)),
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create unique index sign_file_key_uq on sign_file (tenant_id, exam_id, file_key) where not is_deleted;
select secure_table('sign_file', 'read');

create table type_code (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  unit varchar(20) not null, unit_name varchar(60) not null,
  type varchar(20) not null, type_name varchar(40) not null,
  code varchar(20) not null, code_name varchar(60) not null,
  competent_dept varchar(60),
  post_level varchar(30),
  plan_num int not null check (plan_num between 1 and 999),
  cur_num int not null check (cur_num >= 0),
  open_ratio int,
  max_sign int not null default 0 check (max_sign >= 0),
  -- guarded counter of live sign-ups (domain 4.10)
  used_sign int not null default 0 check (used_sign >= 0),
  -- 0 open, 1 reduced, 2 cancelled, 3 receiving, 4 paused
  post_state int not null default 0 check (post_state between 0 and 4),
  born_from date, born_to date,
  age_text varchar(60),
  sex int not null default 0 check (sex between 0 and 2),
  educations jsonb, degrees jsonb, majors jsonb,
  major_text varchar(500),
  fresh int not null default 0 check (fresh between 0 and 2),
  political jsonb, hukou jsonb, cert jsonb, title jsonb,
  min_work_years int,
  other_text varchar(500),
  item_codes jsonb not null default '[]',
  fee_fen int not null default 0 check (fee_fen >= 0),
  phone varchar(60),
  sort int not null default 0,
  remark varchar(500),
  -- of the last change of conditions after sign-up had begun; public
  change_reason varchar(200),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  check (max_sign = 0 or used_sign <= max_sign)
);
create unique index type_code_code_uq on type_code (tenant_id, exam_id, code) where not is_deleted;
create index type_code_unit_ix on type_code (tenant_id, exam_id, unit, type);
select secure_table('type_code', 'read');

-- One run of an import: the uploaded workbook is kept, a checked file is committed by its id (domain 5.9).
create table import_job (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint,
  item_id bigint,
  kind varchar(20) not null,
  file_id bigint not null,
  file_name varchar(255) not null,
  policy varchar(10) not null default 'all' check (policy in ('all', 'partial')),
  mode varchar(10) not null default 'check' check (mode in ('check', 'commit')),
  -- what the import needs besides the file (kind-specific)
  params jsonb not null default '{}',
  -- 0 queued, 1 checking, 2 waiting for confirmation, 3 writing, 4 done, 5 failed, 6 cancelled
  state int not null default 0 check (state between 0 and 6),
  total int not null default 0, done int not null default 0, ok int not null default 0, failed int not null default 0,
  inserted int not null default 0, updated int not null default 0, skipped int not null default 0,
  errors jsonb not null default '[]', warnings jsonb not null default '[]',
  error_file_id bigint,
  problem_zh varchar(300), problem_en varchar(300),
  cancel_asked boolean not null default false,
  started_at timestamptz, ended_at timestamptz,
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index import_job_exam_ix on import_job (tenant_id, exam_id, kind, id desc);
select secure_table('import_job');

-- verify: select 1 / (select count(*) from pg_class where relname = 'type_code' and relforcerowsecurity)
