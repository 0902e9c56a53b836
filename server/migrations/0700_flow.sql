-- Processes: drawings, definitions, what was started with its tasks and history, and requests for leave.
-- lock: none (new tables); compatible: yes

create table flow_model (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  model_key varchar(60) not null,
  name varchar(100) not null,
  description varchar(500) not null default '',
  xml text not null,
  revision int not null default 1,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create index flow_model_list_ix on flow_model (tenant_id, updated_at desc) where not is_deleted;
select secure_table('flow_model');
revoke delete on flow_model from kaopu_staff, kaopu_system;

-- A version of a process. A common one stands in the platform's tenant and is read by all. No row ever goes: what was started keeps it.
create table flow_definition (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  flow_key varchar(60) not null,
  flow_version int not null,
  name varchar(100) not null,
  description varchar(500) not null default '',
  category varchar(60) not null,
  deployment_id bigint not null,
  xml text not null,
  -- as the program reads the drawing
  graph jsonb not null,
  state varchar(10) not null default 'active' check (state in ('active', 'suspended')),
  is_common boolean not null default false check (not is_common or tenant_id = '000000'),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index flow_definition_version_uq on flow_definition (tenant_id, is_common, flow_key, flow_version);
create index flow_definition_common_ix on flow_definition (flow_key, flow_version desc) where is_common and not is_deleted;
select secure_table('flow_definition');
revoke delete on flow_definition from kaopu_staff, kaopu_system;
create policy common on flow_definition for select to kaopu_staff, kaopu_system using (is_common and nullif(current_setting('app.tenant_id', true), '') is not null);

-- definition_id has no reference: a common definition is a row of another tenant, and no definition is ever deleted.
create table flow_instance (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  definition_id bigint not null,
  flow_key varchar(60) not null,
  flow_version int not null,
  flow_name varchar(100) not null,
  category varchar(60) not null,
  business_table varchar(60) not null default '',
  business_id bigint,
  title varchar(200) not null,
  start_user bigint not null,
  state varchar(10) not null default 'running' check (state in ('running', 'returned', 'finished', 'cancelled', 'withdrawn')),
  vars jsonb not null,
  place jsonb not null,
  -- a refusal that the drawing has no way for goes back to the applicant, or ends it
  can_return boolean not null,
  -- the process that called it, with the token that waits there
  parent_id bigint, parent_token int,
  -- the outermost one, whose row is locked for whatever changes any of them
  root_id bigint not null,
  depth int not null default 0,
  -- who decided first; from then on the applicant cannot withdraw it
  decided_by bigint,
  passed boolean,
  reason varchar(500) not null default '',
  reminded_at timestamptz,
  created_at timestamptz not null default app_now(),
  ended_at timestamptz,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references flow_instance (tenant_id, id),
  check ((ended_at is null) = (state in ('running', 'returned')))
);
create index flow_instance_sent_ix on flow_instance (tenant_id, start_user, id desc) where parent_id is null;
create index flow_instance_open_ix on flow_instance (tenant_id, id desc) where ended_at is null;
create index flow_instance_definition_ix on flow_instance (tenant_id, definition_id) where ended_at is null;
create index flow_instance_business_ix on flow_instance (tenant_id, business_table, business_id);
create index flow_instance_root_ix on flow_instance (tenant_id, root_id);
create index flow_instance_parent_ix on flow_instance (tenant_id, parent_id) where parent_id is not null;
select secure_table('flow_instance');
revoke delete on flow_instance from kaopu_staff, kaopu_system;

create table flow_task (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  instance_id bigint not null,
  -- id of the element, or 'applicant'
  node varchar(255) not null,
  name varchar(100) not null,
  token int not null,
  assignee bigint,
  -- who delegated it and completes it afterwards
  owner bigint,
  sign varchar(5) check (sign in ('all', 'any', 'share')),
  share int not null default 100,
  state varchar(6) not null default 'open' check (state in ('open', 'done', 'closed')),
  outcome varchar(8) check (outcome in ('ok', 'reject', 'return')),
  comment varchar(500) not null default '',
  created_at timestamptz not null default app_now(),
  claimed_at timestamptz,
  due_at timestamptz,
  ended_at timestamptz,
  ended_by bigint,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, instance_id) references flow_instance (tenant_id, id),
  check ((ended_at is null) = (state = 'open'))
);
-- One open task for each token and member.
create unique index flow_task_open_uq on flow_task (tenant_id, instance_id, token, assignee) nulls not distinct where state = 'open';
create index flow_task_instance_ix on flow_task (tenant_id, instance_id, id);
create index flow_task_todo_ix on flow_task (tenant_id, assignee, id desc) where state = 'open';
create index flow_task_done_ix on flow_task (tenant_id, ended_by, ended_at desc) where state = 'done';
select secure_table('flow_task');
revoke delete on flow_task from kaopu_staff, kaopu_system;

-- Who may claim a task. Rows go when it is claimed or over, so that what can be claimed is found by them alone.
create table flow_candidate (
  tenant_id varchar(12) not null references tenant,
  task_id bigint not null,
  kind varchar(4) not null check (kind in ('user', 'role', 'post', 'dept')),
  ref varchar(60) not null,
  primary key (tenant_id, task_id, kind, ref),
  foreign key (tenant_id, task_id) references flow_task (tenant_id, id)
);
create index flow_candidate_ref_ix on flow_candidate (tenant_id, kind, ref, task_id);
select secure_table('flow_candidate');

-- Everything that happened, in its order: elements passed, lines, and what people did. Nothing of it is ever changed.
create table flow_history (
  tenant_id varchar(12) not null references tenant,
  instance_id bigint not null,
  seq int not null,
  node varchar(255) not null,
  name varchar(100) not null,
  type varchar(20) not null,
  action varchar(12) not null default '',
  task_id bigint,
  -- who did it, 0 the program; whose task it was
  actor bigint not null,
  assignee bigint,
  target varchar(255) not null default '',
  comment varchar(500) not null default '',
  started_at timestamptz not null,
  ended_at timestamptz not null default app_now(),
  primary key (tenant_id, instance_id, seq),
  foreign key (tenant_id, instance_id) references flow_instance (tenant_id, id)
);
select secure_table('flow_history', 'none', 'actor', true);

create table flow_copy (
  tenant_id varchar(12) not null references tenant,
  instance_id bigint not null,
  user_id bigint not null,
  from_user bigint not null,
  comment varchar(500) not null default '',
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, instance_id, user_id),
  foreign key (tenant_id, instance_id) references flow_instance (tenant_id, id)
);
create index flow_copy_user_ix on flow_copy (tenant_id, user_id, created_at desc);
select secure_table('flow_copy', 'none', 'user_id', true);

create table leave_request (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null,
  task_user bigint not null,
  start_at timestamptz not null,
  end_at timestamptz not null check (end_at > start_at),
  reason varchar(255) not null,
  definition_id bigint not null,
  instance_id bigint,
  state varchar(10) not null default 'waiting' check (state in ('waiting', 'returned', 'passed', 'refused', 'withdrawn', 'cancelled')),
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, instance_id) references flow_instance (tenant_id, id)
);
create index leave_request_user_ix on leave_request (tenant_id, user_id, id desc);
select secure_table('leave_request');
revoke delete on leave_request from kaopu_staff, kaopu_system;

-- verify: select 1 / (select count(*)::int / 8 from pg_class where (relname like 'flow\_%' or relname = 'leave_request') and relkind = 'r' and relforcerowsecurity)
