-- What anybody can check about released scores: the root of the tree over them, published at each release, and what leads from each score to it.
-- lock: none (new tables); compatible: yes (a process of before publishes no root; the next release does)

create table score_root (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  -- 1, 2, 3 … of an examination: none is ever taken back
  root_no int not null check (root_no > 0),
  root char(64) not null,
  leaves int not null check (leaves >= 0),
  cause varchar(10) not null check (cause in ('release', 'correction', 'withdrawal')),
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
create unique index score_root_no_uq on score_root (tenant_id, exam_id, root_no);
select secure_table('score_root', 'read', 'user_id', true);
select narrow_with_exam('score_root');

-- The hashes of the newest tree of an examination, 32 bytes each: level 0 are the leaves.
create table score_root_level (
  tenant_id varchar(12) not null references tenant,
  exam_id bigint not null,
  level int not null check (level >= 0),
  root_no int not null,
  hashes bytea not null,
  primary key (tenant_id, exam_id, level),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id)
);
-- One hash is read out of millions of bytes: only what is stored as it is can be read in part.
alter table score_root_level alter column hashes set storage external;
select secure_table('score_root_level', 'read');
select narrow_with_exam('score_root_level');

-- What keeps a leaf from being guessed, and where in the tree it stands. The salt of a person stays, so the leaf changes with the scores alone.
create table score_leaf (
  tenant_id varchar(12) not null references tenant,
  signup_id bigint not null,
  exam_id bigint not null,
  user_id bigint not null,
  salt char(32) not null,
  -- null: no score of this person is released
  place int,
  primary key (tenant_id, signup_id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index score_leaf_exam_ix on score_leaf (tenant_id, exam_id);
select secure_table('score_leaf', 'own-read');
select narrow_with_exam('score_leaf');

-- verify: select 1 / (count(*) / 3) from pg_policies where tablename in ('score_root', 'score_root_level', 'score_leaf') and policyname = 'within_departments'
