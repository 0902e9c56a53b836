-- Duty posts of staff (framework-contract 3.10).
-- lock: none (new table); compatible: yes

create table post (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  category varchar(60) not null,
  post_code varchar(30) not null,
  post_name varchar(60) not null,
  sort int not null,
  remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index post_code_uq on post (tenant_id, post_code) where not is_deleted;
select secure_table('post');

-- verify: select 1 / (select count(*) from pg_class where relname = 'post' and relforcerowsecurity)
