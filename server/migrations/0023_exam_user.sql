-- Who reviews an examination at which level, and which sign-ups were given to whom (domain 3.9, 5.5).
-- lock: short (one column with a default on examine_allot); compatible: yes

create table exam_user (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  user_id bigint not null,
  level int not null check (level between 1 and 3),
  -- empty = all
  units jsonb not null default '[]',
  codes jsonb not null default '[]',
  -- sign-ups that may wait for one reviewer at a time; 0 = no limit
  quota int not null default 0 check (quota >= 0),
  -- 0 disabled, 1 enabled
  state int not null default 1 check (state in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create unique index exam_user_uq on exam_user (tenant_id, exam_id, user_id, level) where not is_deleted;
select secure_table('exam_user');

-- A row that was given to a reviewer stays theirs when they close it; a row that was only taken goes back to the pool.
alter table examine_allot add column allotted boolean not null default false;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'exam_user' and relforcerowsecurity)
