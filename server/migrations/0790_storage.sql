-- Where files lie: storages beside the disk, the storage of each file, and moves between them; attachments that staff share.
-- lock: access exclusive on stored_file while it is written anew with its new column; compatible: yes

-- A key beside the disk is `<id of the storage>:<name>`: the column is what that says.
alter table stored_file add column storage_id bigint generated always as (
  case when storage_key ~ '^[0-9]{1,19}:' then split_part(storage_key, ':', 1)::bigint end) stored;
create index stored_file_storage_ix on stored_file (tenant_id, storage_id, id);
create index stored_file_lies_ix on stored_file (storage_id) where storage_id is not null;
create index stored_file_key_ix on stored_file (tenant_id, storage_key);

create table oss (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  category varchar(60) not null,
  oss_code varchar(30) not null,
  endpoint varchar(255),
  transform_endpoint varchar(255),
  bucket_name varchar(63),
  access_key varchar(128),
  key_sealed bytea,
  region varchar(60),
  app_id varchar(30),
  remark varchar(255),
  status int not null default 1 check (status in (1, 2)),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index oss_code_uq on oss (tenant_id, oss_code) where not is_deleted;
create unique index oss_enabled_uq on oss (tenant_id) where status = 2 and not is_deleted;
select secure_table('oss');

create table file_move (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  -- 1 going on, 2 done, 3 failed, 4 cancelled
  state int not null default 1 check (state in (1, 2, 3, 4)),
  total int not null,
  moved int not null default 0,
  failed int not null default 0,
  bytes bigint not null default 0,
  problem_zh varchar(500) not null default '',
  problem_en varchar(500) not null default '',
  started_by bigint not null,
  started_at timestamptz not null default app_now(),
  ended_at timestamptz,
  primary key (tenant_id, id)
);
create unique index file_move_going_uq on file_move (tenant_id) where state = 1;
select secure_table('file_move');

create table attach (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  original_name varchar(255) not null,
  name varchar(40) not null,
  domain_url varchar(255),
  extension varchar(12) not null,
  attach_size int not null,
  file_id bigint not null,
  uploader varchar(60) not null default '',
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create index attach_file_ix on attach (tenant_id, file_id);
select secure_table('attach');

-- Rights that are kept apart: one branch more in front of those that are there, whatever they are.
do $$ begin
  execute replace(pg_get_functiondef('kept_for(text)'::regprocedure), 'select case', $branch$select case
  when code in ('resource', 'oss', 'oss_view', 'oss_add', 'oss_edit', 'oss_delete', 'oss_export', 'oss_enable', 'oss_move', 'attach', 'attach_view', 'attach_add',
    'attach_edit', 'attach_delete', 'attach_export', 'attach_upload', 'attach_download') then '{administrator,admin}'::text[]$branch$);
end $$;

-- verify: select 1 / (kept_for('oss_enable') = '{administrator,admin}' and kept_for('flow_model_deploy') = '{administrator,admin}' and kept_for('signup_view') is null)::int
