-- Models after tables of data sources, their columns, and what code is generated of them (S7.27, S7.28).
-- lock: none (new tables); compatible: yes

create table data_model (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- none: the program's own database
  datasource_id bigint,
  model_table varchar(130) not null,
  model_name varchar(60) not null,
  model_code varchar(60) not null,
  model_class varchar(60) not null,
  model_remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, datasource_id) references datasource (tenant_id, id)
);
create unique index data_model_code_uq on data_model (tenant_id, model_code) where not is_deleted;
create index data_model_source_ix on data_model (tenant_id, datasource_id);
select secure_table('data_model');

-- What is a fact of the table (type, keys, why it is left out) is read from it; the rest is chosen on the screen.
create table data_model_field (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  model_id bigint not null,
  sort int not null,
  jdbc_name varchar(64) not null,
  jdbc_type varchar(500) not null,
  jdbc_comment varchar(200) not null default '',
  is_key boolean not null default false,
  is_unique boolean not null default false,
  is_foreign boolean not null default false,
  left_out varchar(20) not null default '',
  property_name varchar(40) not null,
  is_list boolean not null default true,
  is_form boolean not null default true,
  is_row boolean not null default false,
  is_required boolean not null default false,
  is_query boolean not null default false,
  component_type varchar(20) not null default 'input',
  dict_code varchar(40) not null default '',
  query_type varchar(20) not null default 'equal',
  primary key (tenant_id, id),
  unique (tenant_id, model_id, jdbc_name),
  foreign key (tenant_id, model_id) references data_model (tenant_id, id)
);
select secure_table('data_model_field');

create table code (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  code_name varchar(60) not null,
  english_name varchar(60),
  model_id bigint not null,
  template_type varchar(60) not null check (template_type in ('crud', 'sub', 'tree')),
  service_name varchar(30) not null,
  noun_name varchar(40),
  menu_id bigint,
  roles varchar(200),
  sub_model_id bigint,
  sub_fk_id varchar(64),
  tree_id varchar(64),
  tree_pid varchar(64),
  tree_name varchar(64),
  generated_time timestamptz,
  -- [{path, text}] of the last generation, to compare the next one with
  generated_files jsonb,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, model_id) references data_model (tenant_id, id),
  foreign key (tenant_id, sub_model_id) references data_model (tenant_id, id)
);
create index code_model_ix on code (tenant_id, model_id);
create index code_sub_model_ix on code (tenant_id, sub_model_id);
select secure_table('code');

-- verify: select 1 / (select (count(*) = 3)::int from pg_class where relname in ('data_model', 'data_model_field', 'code') and relforcerowsecurity)
