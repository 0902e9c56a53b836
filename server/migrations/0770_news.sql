-- Notices with their files and who has read them, and news (domain 3.14, 3.15).
-- lock: none (new tables); compatible: yes

create table notice (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  title varchar(200) not null,
  -- 1 recruitment, 2 notice, 3 publicity, 4 policy, 5 questions
  notice_type int not null check (notice_type between 1 and 5),
  content text not null,
  exam_id bigint,
  -- 1 everybody, 2 who is logged in, 3 who signed up for the examination, 4 staff
  scope int not null default 1 check (scope between 1 and 4),
  is_top boolean not null default false,
  popup boolean not null default false,
  need_sure boolean not null default false,
  release_time timestamptz,
  end_time timestamptz,
  -- 0 draft, 1 published, 2 withdrawn
  state int not null default 0 check (state between 0 and 2),
  -- when it went from where people had seen it
  withdrawn_time timestamptz,
  withdraw_reason varchar(200),
  -- those who had not read or confirmed were reminded
  reminded_time timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  check (state = 0 or release_time is not null),
  check (state = 0 or scope <> 3 or exam_id is not null)
);
create index notice_release_ix on notice (tenant_id, release_time desc, id desc) where state = 1 and not is_deleted;
create index notice_exam_ix on notice (tenant_id, exam_id);
select secure_table('notice');
-- A notice of no examination is everybody's, also of whom the departments leave no examination.
select narrow_with_exam('notice', 'exam_id is null or (exam_id = any((select app_exams())::bigint[])) is not false');
-- Candidates see what is published to them, and nothing before its time.
create policy candidate on notice for select to kaopu_candidate using (
  tenant_id = current_setting('app.tenant_id', true) and not is_deleted and state = 1 and release_time <= nullif(current_setting('app.now', true), '')::timestamptz
  and (scope in (1, 2) or scope = 3 and exists (
    select 1 from signup s where s.tenant_id = notice.tenant_id and s.exam_id = notice.exam_id and s.user_id = nullif(current_setting('app.user_id', true), '')::bigint
      and s.examine not in ('draft', 'withdrawn') and not s.is_deleted)));
grant select on notice to kaopu_candidate;

create table notice_file (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  notice_id bigint not null,
  file_id bigint not null,
  name varchar(255) not null,
  size int not null,
  sort int not null default 0,
  down_count int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id)
);
create index notice_file_notice_ix on notice_file (tenant_id, notice_id, sort, id) where not is_deleted;
select secure_table('notice_file');

-- A row for everybody a notice is addressed to, and for whoever has read one that is addressed to nobody.
create table notice_read (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  notice_id bigint not null,
  user_id bigint not null,
  read_at timestamptz,
  sure_at timestamptz,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, notice_id, user_id),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id),
  check (sure_at is null or read_at is not null)
);
create unique index notice_read_id_uq on notice_read (tenant_id, id);
create index notice_read_all_ix on notice_read (tenant_id, notice_id, id);
-- Whoever has not read, or not confirmed, is listed without a look at those who have.
create index notice_read_unread_ix on notice_read (tenant_id, notice_id, id) where read_at is null;
create index notice_read_unsure_ix on notice_read (tenant_id, notice_id, id) where sure_at is null;
create index notice_read_user_ix on notice_read (tenant_id, user_id);
select secure_table('notice_read', 'own');

create table news (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  title varchar(200) not null,
  summary varchar(300),
  cover_id bigint,
  content text not null,
  source varchar(60),
  author varchar(40),
  release_time timestamptz,
  is_top boolean not null default false,
  state int not null default 0 check (state between 0 and 2),
  withdrawn_time timestamptz,
  withdraw_reason varchar(200),
  read_count int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  check (state = 0 or release_time is not null)
);
create index news_release_ix on news (tenant_id, release_time desc, id desc) where state = 1 and not is_deleted;
select secure_table('news');
create policy candidate on news for select to kaopu_candidate using (
  tenant_id = current_setting('app.tenant_id', true) and not is_deleted and state = 1 and release_time <= nullif(current_setting('app.now', true), '')::timestamptz);
grant select on news to kaopu_candidate;

-- verify: select 1 / (select count(*) from pg_policies where tablename = 'notice' and policyname = 'candidate' and qual like '%release_time%')
-- verify: select 1 / (select count(*) from pg_policies where tablename = 'notice' and policyname = 'within_departments')
