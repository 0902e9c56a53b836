-- Tenants as the platform keeps them: packages that cap their menus, data sources, pictures of the login page.
-- lock: short (tenant: four nullable columns; menu: one policy); compatible: yes

-- Rows stand in the platform's tenant.
create table tenant_package (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  package_name varchar(60) not null,
  -- menus of the platform's tenant, comma-joined as on the wire
  menu_id text not null,
  remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index tenant_package_name_uq on tenant_package (tenant_id, package_name) where not is_deleted;
select secure_table('tenant_package');

-- What a package means in any tenant: codes of its menus, of all above them and of their buttons.
create table tenant_package_menu (
  tenant_id varchar(12) not null references tenant,
  package_id bigint not null,
  code varchar(60) not null,
  primary key (tenant_id, package_id, code),
  foreign key (tenant_id, package_id) references tenant_package (tenant_id, id)
);
create index tenant_package_menu_ix on tenant_package_menu (package_id, code);
select secure_table('tenant_package_menu');

create table datasource (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  name varchar(60) not null,
  kind varchar(20) not null check (kind in ('postgresql', 'mysql', 'oracle', 'sqlserver', 'dameng', 'kingbase')),
  host varchar(120) not null,
  port int not null check (port between 1 and 65535),
  database_name varchar(60) not null,
  username varchar(60) not null,
  password_sealed bytea,
  password_state int generated always as (case when password_sealed is null then 0 else 1 end) stored,
  -- Nobody types these: a driver or an address that a person can write runs code or reads files elsewhere (decision 4.4).
  driver_class varchar(60) generated always as (case kind
    when 'postgresql' then 'org.postgresql.Driver' when 'mysql' then 'com.mysql.cj.jdbc.Driver' when 'oracle' then 'oracle.jdbc.OracleDriver'
    when 'sqlserver' then 'com.microsoft.sqlserver.jdbc.SQLServerDriver' when 'dameng' then 'dm.jdbc.driver.DmDriver' else 'com.kingbase8.Driver' end) stored,
  url varchar(255) generated always as (case kind
    when 'oracle' then 'jdbc:oracle:thin:@//' || host || ':' || port || '/' || database_name
    when 'sqlserver' then 'jdbc:sqlserver://' || host || ':' || port || ';databaseName=' || database_name
    when 'dameng' then 'jdbc:dm://' || host || ':' || port || '/' || database_name
    when 'kingbase' then 'jdbc:kingbase8://' || host || ':' || port || '/' || database_name
    else 'jdbc:' || kind || '://' || host || ':' || port || '/' || database_name end) stored,
  remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index datasource_name_uq on datasource (tenant_id, name) where not is_deleted;
select secure_table('datasource');

alter table tenant
  add column address varchar(255),
  -- of the platform's tenant, so no reference can carry it
  add column package_id bigint,
  add column datasource_id bigint;
create index tenant_package_ix on tenant (package_id);
create unique index tenant_name_uq on tenant (lower(tenant_name)) where not is_deleted and status <> 0;
-- Quota, expiry and package are the platform's to set: not even a defect in a tenant's own calls can widen them.
revoke insert, update, delete on tenant from kaopu_staff;

-- Whose package is asked about is the reader's own; the codes are no secret.
create policy own_package on tenant_package_menu for select to kaopu_staff, kaopu_candidate, kaopu_system
  using (package_id = (select t.package_id from tenant t where t.tenant_id = current_setting('app.tenant_id', true)));
grant select on tenant_package_menu to kaopu_candidate;

-- The cap itself: a menu of the program that the package does not hold is not there for anybody of the tenant, whatever the roles say.
-- Menus that a tenant made for itself (created_by) open nothing of the program. The queries inside run once per statement.
create policy package_cap on menu as restrictive for select to kaopu_staff, kaopu_candidate using (
  created_by is not null
  or (select t.package_id from tenant t where t.tenant_id = current_setting('app.tenant_id', true)) is null
  or code in (select p.code from tenant_package_menu p join tenant t on t.package_id = p.package_id where t.tenant_id = current_setting('app.tenant_id', true)));

-- Logo and background of a login page; small, read before anybody is known.
create table tenant_picture (
  tenant_id varchar(12) not null references tenant,
  kind varchar(12) not null check (kind in ('logo', 'background')),
  mime varchar(40) not null,
  bytes bytea not null,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  primary key (tenant_id, kind)
);
select secure_table('tenant_picture');

-- verify: select 1 / (select count(*) from pg_policies where policyname = 'package_cap' and permissive = 'RESTRICTIVE')
