-- Departments of staff (framework-contract 3.9) and who belongs to which.
-- lock: account is rewritten once for the generated column; compatible: yes

create table dept (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- 0: a root
  parent_id bigint not null default 0,
  -- the chain above from its root, without the department itself; at most ten levels
  ancestor_ids bigint[] not null default '{}' check (cardinality(ancestor_ids) < 10),
  dept_name varchar(60) not null,
  full_name varchar(120) not null,
  -- dictionary org_category
  dept_category int not null,
  -- comma-joined accounts, as on the wire
  leader_id varchar(400) not null default '',
  sort int not null,
  remark varchar(255) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  check (parent_id = coalesce(ancestor_ids[cardinality(ancestor_ids)], 0)),
  check (not id = any(ancestor_ids))
);
create unique index dept_name_uq on dept (tenant_id, parent_id, dept_name) where not is_deleted;
create index dept_ancestor_ix on dept using gin (ancestor_ids);
select secure_table('dept');

-- The departments of an account as ids, so that "everybody below here" needs no walk over all accounts.
alter table account add column dept_ids bigint[] generated always as (string_to_array(nullif(dept_id, ''), ',')::bigint[]) stored;
create index account_dept_ix on account using gin (dept_ids);

-- verify: select 1 / (select count(*) from pg_class where relname = 'dept' and relforcerowsecurity)
