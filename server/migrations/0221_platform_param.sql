-- A parameter has a value of the platform; a tenant may have its own.
-- lock: short (param: one column with a constant default, rows of people are marked); compatible: yes

create table platform_param (
  param_key varchar(128) primary key,
  param_name varchar(64) not null,
  param_value varchar(2000) not null,
  updated_by bigint,
  updated_at timestamptz not null default app_now(),
  version int not null default 0
);
grant select on platform_param to kaopu_staff, kaopu_system, kaopu_platform;
grant insert, update on platform_param to kaopu_platform;

-- The value in force stands in the tenant's row, so that readers ask one table; this says whose it is. What somebody has made or changed is
-- the tenant's own and stays; the rest follows the platform from now on.
alter table param add column is_own boolean not null default false;
update param set is_own = true where version > 0 or created_by is not null or updated_by is not null;

-- Was seeded and never read.
update param set is_deleted = true where param_key = 'stat.smallCell';

-- verify: select 1 / (select count(*)::int from pg_attribute where attrelid = 'param'::regclass and attname = 'is_own')
