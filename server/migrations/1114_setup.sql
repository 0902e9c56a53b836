-- The first day of an installation: who tried what of it, when, and what came of it.
-- lock: none (new table); compatible: yes

create table setup_try (
  tenant_id varchar(12) not null references tenant,
  step varchar(20) not null,
  is_ok boolean not null,
  said_zh varchar(500) not null,
  said_en varchar(500) not null,
  tried_by bigint not null,
  tried_at timestamptz not null default app_now(),
  primary key (tenant_id, step)
);
select secure_table('setup_try');

-- verify: select 1 / count(*) from pg_class where relname = 'setup_try'
