-- Data scopes and API scopes with the roles that hold them; no person administers, secures and audits at once.
-- lock: none (new tables; a trigger on account_role); compatible: yes

create table data_scope (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  menu_id bigint not null,
  scope_name varchar(120) not null,
  -- what the rule is about: the prefix of its permission codes
  resource_code varchar(60) not null,
  -- 1 all, 2 own, 3 own department, 4 own department and below, 5 conditions
  scope_type int not null check (scope_type between 1 and 5),
  -- of type 5: fields, operators and values as data, never text of a query
  scope_value jsonb not null default '[]',
  remark varchar(255) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, menu_id) references menu (tenant_id, id)
);
create index data_scope_menu_ix on data_scope (tenant_id, menu_id) where not is_deleted;
select secure_table('data_scope');

create table role_data_scope (
  tenant_id varchar(12) not null references tenant,
  role_id bigint not null,
  scope_id bigint not null,
  primary key (tenant_id, role_id, scope_id),
  foreign key (tenant_id, role_id) references role (tenant_id, id),
  foreign key (tenant_id, scope_id) references data_scope (tenant_id, id)
);
select secure_table('role_data_scope');

create table api_scope (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  menu_id bigint not null,
  scope_name varchar(120) not null,
  resource_code varchar(60) not null,
  -- one call exactly: never a prefix, never a pattern
  scope_method varchar(4) not null check (scope_method in ('GET', 'POST')),
  scope_path varchar(160) not null,
  remark varchar(255) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, menu_id) references menu (tenant_id, id)
);
create index api_scope_path_ix on api_scope (tenant_id, scope_method, scope_path) where not is_deleted;
select secure_table('api_scope');

create table role_api_scope (
  tenant_id varchar(12) not null references tenant,
  role_id bigint not null,
  scope_id bigint not null,
  primary key (tenant_id, role_id, scope_id),
  foreign key (tenant_id, role_id) references role (tenant_id, id),
  foreign key (tenant_id, scope_id) references api_scope (tenant_id, id)
);
select secure_table('role_api_scope');

create trigger rights_notify after insert or update or delete on data_scope for each row execute function rights_notify();
create trigger rights_notify after insert or update or delete on role_data_scope for each row execute function rights_notify();
create trigger rights_notify after insert or update or delete on api_scope for each row execute function rights_notify();
create trigger rights_notify after insert or update or delete on role_api_scope for each row execute function rights_notify();

-- Of admin, secadmin and auditor one person holds one (domain 2.1). The program says so in words; this holds where it forgot to.
create function keep_duties_apart() returns trigger language plpgsql as
$$ declare
  held int;
begin
  if not exists (select 1 from role r where r.tenant_id = new.tenant_id and r.id = new.role_id and r.role_alias in ('admin', 'secadmin', 'auditor')) then
    return null;
  end if;
  -- Two grants at once wait for each other.
  perform 1 from account a where a.tenant_id = new.tenant_id and a.id = new.user_id for no key update;
  select count(distinct r.role_alias) into held from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
    where ar.tenant_id = new.tenant_id and ar.user_id = new.user_id and not r.is_deleted and r.role_alias in ('admin', 'secadmin', 'auditor');
  if held > 1 then raise exception 'one person holds one of admin, secadmin and auditor' using errcode = '23514'; end if;
  return null;
end $$;
create constraint trigger keep_duties_apart after insert or update on account_role deferrable initially immediate
  for each row execute function keep_duties_apart();

-- verify: select 1 / (select count(*) from pg_class where relname = 'role_api_scope' and relforcerowsecurity)
