-- Admission tickets, their notices and downloads, results (domain 3.10–3.12).
-- lock: none (new tables); compatible: yes

create table ticket (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  -- 1 written, 2 interview
  type int not null default 1 check (type in (1, 2)),
  ticket_no varchar(20) not null,
  site_code varchar(2) not null, site_name varchar(60) not null, site_address varchar(200) not null default '',
  room_no varchar(3) not null, room_name varchar(60) not null default '', floor int,
  seat_no varchar(3) not null,
  group_no varchar(10), wait_room varchar(60), draw_no varchar(10), report_time timestamptz,
  start_time timestamptz not null, end_time timestamptz not null,
  ticket_state varchar(10) not null default 'made' check (ticket_state in ('made', 'released', 'downloaded', 'void')),
  allot_version int not null default 1,
  pdf_file_id bigint, pdf_sha256 char(64),
  -- counts the printings of one seat after its release; printed behind the version of the allocation
  pdf_version int not null default 1,
  -- one per person and type, the same on all rows of one PDF
  qr_token char(43) not null,
  released_at timestamptz,
  -- 1 automatic, 2 import, 3 manual
  source int not null default 1 check (source between 1 and 3),
  remark varchar(200),
  first_down_time timestamptz, down_count int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index ticket_person_uq on ticket (tenant_id, exam_id, item_id, signup_id) where ticket_state <> 'void' and not is_deleted;
create unique index ticket_seat_uq on ticket (tenant_id, exam_id, item_id, site_code, room_no, seat_no) where ticket_state <> 'void' and not is_deleted;
create index ticket_no_ix on ticket (tenant_id, ticket_no);
create index ticket_signup_ix on ticket (tenant_id, signup_id, type);
create index ticket_qr_ix on ticket (tenant_id, qr_token);
create index ticket_item_ix on ticket (tenant_id, exam_id, item_id, site_code, room_no, seat_no);
select secure_table('ticket', 'own-read');
-- The gate is in the row policy too: a candidate cannot read a seat before it is released (security 3.4).
create policy candidate_released on ticket as restrictive for select to kaopu_candidate
  using (ticket_state in ('released', 'downloaded', 'void') and released_at is not null and not is_deleted);

create table ticket_notice (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_id bigint not null default 0,
  title varchar(100) not null,
  content text not null,
  down_begin timestamptz, down_end timestamptz,
  need_read boolean not null default false,
  read_seconds int not null default 10,
  is_upload boolean not null default false,
  upload_kinds jsonb not null default '[]',
  upload_hours int not null default 48,
  need_promise boolean not null default false,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create unique index ticket_notice_exam_uq on ticket_notice (tenant_id, exam_id, item_id);
select secure_table('ticket_notice', 'read');

create table ticket_notice_read (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, exam_id, user_id)
);
select secure_table('ticket_notice_read', 'own');

create table ticket_down (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_id bigint not null default 0,
  signup_id bigint not null,
  user_id bigint not null,
  type int not null,
  ticket_no varchar(20) not null,
  ip varchar(45), user_agent varchar(300),
  -- 1 pc, 2 h5
  client int not null default 1,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index ticket_down_signup_ix on ticket_down (tenant_id, exam_id, signup_id);
select secure_table('ticket_down', 'own', 'user_id', true);

-- Health documents that a notice asks for before the download: special personal data, the latest row counts (domain 3.11).
create table ticket_health (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_id bigint not null default 0,
  user_id bigint not null,
  health_code_file_id bigint, travel_code_file_id bigint, test_report_file_id bigint,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index ticket_health_person_ix on ticket_health (tenant_id, exam_id, user_id);
select secure_table('ticket_health', 'own', 'user_id', true);

-- Progress of pre-rendering a release.
create table ticket_render (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  type int not null,
  -- papers that the pages show beside those released before
  item_ids jsonb not null default '[]',
  total int not null, done int not null default 0, failed int not null default 0,
  problems jsonb not null default '[]',
  -- 0 running, 1 done, 2 cancelled
  state int not null default 0,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index ticket_render_exam_ix on ticket_render (tenant_id, exam_id, type, id desc);
select secure_table('ticket_render');

create table result (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  item_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  ticket_no varchar(20) not null,
  name varchar(50) not null,
  score numeric(6,2),
  -- 1 normal, 2 absent, 3 disciplined, 4 zero, 5 exempt
  result_state int not null check (result_state between 1 and 5),
  bonus numeric(5,2) not null default 0,
  final_score numeric(7,2),
  remark varchar(200),
  import_id bigint,
  released boolean not null default false,
  release_time timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, item_id) references exam_item (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  check (result_state = 1 or score is null)
);
create unique index result_person_uq on result (tenant_id, exam_id, item_id, signup_id) where not is_deleted;
select secure_table('result', 'own-read');
create policy candidate_released on result as restrictive for select to kaopu_candidate using (released and not is_deleted);

-- One corrected result. After release it waits for a second person; both values stay (domain 3.12).
create table result_correction (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  result_id bigint not null,
  before_value jsonb not null,
  after_value jsonb not null,
  reason varchar(200) not null,
  state varchar(8) not null default 'waiting' check (state in ('waiting', 'applied', 'rejected')),
  created_by bigint not null, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, result_id) references result (tenant_id, id)
);
create unique index result_correction_waiting_uq on result_correction (tenant_id, result_id) where state = 'waiting';
create index result_correction_result_ix on result_correction (tenant_id, result_id, id);
select secure_table('result_correction');

create table score_total (
  tenant_id varchar(12) not null references tenant,
  signup_id bigint not null,
  exam_id bigint not null,
  user_id bigint not null,
  code varchar(20) not null,
  written_total numeric(8,4), interview_total numeric(8,4), total numeric(8,4), bonus numeric(7,2) not null default 0,
  rank_in_post int, post_count int,
  shortlist int not null default 0,
  passed boolean,
  released boolean not null default false,
  show_rank boolean not null default true, show_line boolean not null default false,
  line numeric(8,4),
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, signup_id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index score_total_exam_ix on score_total (tenant_id, exam_id, code, rank_in_post);
select secure_table('score_total', 'own-read');
create policy candidate_released on score_total as restrictive for select to kaopu_candidate using (released);

-- verify: select 1 / (select count(*) from pg_class where relname = 'result' and relforcerowsecurity)
