-- Texts that reviewers use again (domain 3.17).
-- lock: none (new table); compatible: yes

create table examine_tip (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  title varchar(30) not null,
  content varchar(200) not null,
  -- 1 passing, 2 returning, 3 refusing
  kind int not null check (kind between 1 and 3),
  field_key varchar(40),
  -- 1 whoever wrote it, 2 all
  scope int not null default 1 check (scope in (1, 2)),
  use_count int not null default 0,
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create index examine_tip_owner_ix on examine_tip (tenant_id, created_by);
select secure_table('examine_tip');

-- verify: select 1 / (select count(*) from pg_class where relname = 'examine_tip' and relforcerowsecurity)
