-- Table of the noun exam-site.
-- lock: none (new table); compatible: yes

create table exam_site (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  site_code varchar(2) not null,
  site_name varchar(60) not null,
  site_address varchar(200),
  sort int not null default 0,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index exam_site_site_code_uq on exam_site (tenant_id, site_code) where not is_deleted;
select secure_table('exam_site');

-- verify: select 1 / (select count(*) from pg_class where relname = 'exam_site' and relforcerowsecurity)
