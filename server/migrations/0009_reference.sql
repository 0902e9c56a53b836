-- Reference lists: regions (GB/T 2260) for the whole installation, schools of each tenant (domain 3.16).
-- lock: none (new tables); compatible: yes

create table region (
  code varchar(6) primary key,
  name varchar(60) not null,
  level int not null check (level between 1 and 3),
  parent_code varchar(6),
  full_name varchar(120) not null
);
create index region_parent_ix on region (parent_code, code);
grant select on region to kaopu_staff, kaopu_candidate, kaopu_system;
grant select, insert, update, delete on region to kaopu_platform;

create table school (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  school_code varchar(10) not null,
  old_code varchar(10),
  school_name varchar(60) not null,
  competent varchar(40),
  province varchar(20) not null,
  city varchar(30),
  -- 1 undergraduate, 2 college, 3 secondary, 4 independent college, 5 abroad
  level int not null check (level between 1 and 5),
  kind varchar(20),
  is_medical int not null default 0 check (is_medical in (0, 1)),
  -- former names, matched too: they stand on old diplomas
  aliases jsonb not null default '[]',
  search_text varchar(400) not null default '',
  status int not null default 1 check (status in (0, 1)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index school_code_uq on school (tenant_id, school_code) where not is_deleted;
select secure_table('school', 'read');

-- verify: select 1 / (select count(*) from pg_class where relname = 'school' and relforcerowsecurity)
