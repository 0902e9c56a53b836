-- Decisions about posts that too few have signed up for, and the people who have to choose another post or their money (domain 3.17, 4.4).
-- lock: short (new tables, one partial index of sign-ups that has no rows yet); compatible: yes

create table post_reduction (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  code varchar(20) not null,
  unit varchar(20) not null,
  type varchar(20) not null,
  action varchar(10) not null check (action in ('reduce', 'cancel', 'merge', 'keep')),
  before_num int not null,
  after_num int not null,
  -- Valid sign-ups when it was decided.
  valid_count int not null,
  to_codes jsonb not null default '[]',
  reason varchar(200) not null,
  choice_begin timestamptz, choice_end timestamptz,
  state varchar(10) not null default 'draft' check (state in ('draft', 'published', 'ended')),
  approve_file_id bigint,
  published_by bigint, published_at timestamptz,
  -- Text messages to its people have been ordered.
  told_at timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  check (action not in ('cancel', 'merge') or state = 'draft' or (choice_begin is not null and choice_end > choice_begin))
);
-- One decision of a post at a time.
create unique index post_reduction_active_uq on post_reduction (tenant_id, exam_id, code) where state <> 'ended' and not is_deleted;
create index post_reduction_exam_ix on post_reduction (tenant_id, exam_id, code, id desc);
create index post_reduction_open_ix on post_reduction (tenant_id, choice_end) where state = 'published';
select secure_table('post_reduction');
select narrow_with_exam('post_reduction');

create table reduction_name (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  reduction_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  from_code varchar(20) not null,
  -- 1 with the publication, 2 by hand
  join_way int not null check (join_way in (1, 2)),
  choice varchar(10) not null default 'none' check (choice in ('none', 'transfer', 'refund', 'late', 'kept')),
  to_code varchar(20), to_type varchar(20), to_unit varchar(20),
  choice_time timestamptz,
  state varchar(10) not null default 'open' check (state in ('open', 'review', 'done', 'refunding', 'removed')),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, reduction_id) references post_reduction (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create unique index reduction_name_active_uq on reduction_name (tenant_id, signup_id) where state in ('open', 'review') and not is_deleted;
create index reduction_name_signup_ix on reduction_name (tenant_id, signup_id, id desc);
create index reduction_name_reduction_ix on reduction_name (tenant_id, reduction_id, state);
create index reduction_name_exam_ix on reduction_name (tenant_id, exam_id, id desc);
select secure_table('reduction_name', 'own-read');
select narrow_with_exam('reduction_name');

-- Whoever had to choose another post is reviewed before those who sign up.
create index signup_fast_ix on signup (tenant_id, exam_id, examine, submit_time) where reduction_state = 2;

-- verify: select 1 / (select count(*) / 2 from pg_class where relname in ('post_reduction', 'reduction_name') and relforcerowsecurity)
