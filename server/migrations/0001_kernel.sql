-- What every other table stands on: ids, request time, policies, audit, outbox, idempotency, files.
-- lock: none (empty database); compatible: yes

create schema if not exists graphile_worker;
grant usage on schema public to kaopu_staff, kaopu_candidate, kaopu_system, kaopu_platform, kaopu_worker;

create sequence id_seq as bigint cycle maxvalue 4194303 minvalue 0 start 0;
grant usage on sequence id_seq to kaopu_staff, kaopu_candidate, kaopu_system, kaopu_platform, kaopu_worker;

-- 64-bit, ordered by time: milliseconds since 2024-01-01 in the high bits, a cycling sequence in the low 22 (decision 3.5).
create function next_id() returns bigint language sql volatile parallel unsafe as
$$ select ((extract(epoch from clock_timestamp()) * 1000)::bigint - 1704067200000) << 22 | nextval('id_seq') $$;

-- The instant at which the request arrived, set by the scope; never the database's own clock (decision 4.8).
create function app_now() returns timestamptz language sql stable parallel safe as
$$ select current_setting('app.now')::timestamptz $$;
create function app_user() returns bigint language sql stable parallel safe as
$$ select nullif(current_setting('app.user_id', true), '')::bigint $$;
create function app_tenant() returns text language sql stable parallel safe as
$$ select current_setting('app.tenant_id', true) $$;

create function forbid_tenant_change() returns trigger language plpgsql as
$$ begin
  if new.tenant_id is distinct from old.tenant_id then raise exception 'a row never changes its tenant' using errcode = '42501'; end if;
  return new;
end $$;

-- Closes a tenant table: forced row security, one policy per role, grants, and a trigger against changing the tenant.
-- candidate_access: 'none', 'read' (every row of the tenant), 'own' or 'own-read' (rows whose owner_column is the candidate).
-- append_only: rows are never changed or deleted by the application.
create function secure_table(target regclass, candidate_access text default 'none', owner_column text default 'user_id', append_only boolean default false)
returns void language plpgsql as
$$ declare
  write_grants text := case when append_only then 'select, insert' else 'select, insert, update, delete' end;
  tenant_rule constant text := 'tenant_id = current_setting(''app.tenant_id'', true)';
  own_rule text := tenant_rule || format(' and %I = nullif(current_setting(''app.user_id'', true), '''')::bigint', owner_column);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant_staff on %s for all to kaopu_staff, kaopu_system using (%s) with check (%s)', target, tenant_rule, tenant_rule);
  execute format('create policy platform on %s for all to kaopu_platform using (true) with check (true)', target);
  execute format('grant %s on %s to kaopu_staff, kaopu_system, kaopu_platform', write_grants, target);
  if candidate_access = 'read' then
    execute format('create policy candidate on %s for select to kaopu_candidate using (%s)', target, tenant_rule);
    execute format('grant select on %s to kaopu_candidate', target);
  elsif candidate_access = 'own-read' then
    execute format('create policy candidate on %s for select to kaopu_candidate using (%s)', target, own_rule);
    execute format('grant select on %s to kaopu_candidate', target);
  elsif candidate_access = 'own' then
    execute format('create policy candidate on %s for all to kaopu_candidate using (%s) with check (%s)', target, own_rule, own_rule);
    execute format('grant %s on %s to kaopu_candidate', write_grants, target);
  elsif candidate_access = 'append' then
    execute format('create policy candidate on %s for insert to kaopu_candidate with check (%s)', target, own_rule);
    execute format('grant insert on %s to kaopu_candidate', target);
  elsif candidate_access <> 'none' then
    raise exception 'unknown candidate access %', candidate_access;
  end if;
  if not append_only then
    execute format('create trigger forbid_tenant_change before update of tenant_id on %s for each row execute function forbid_tenant_change()', target);
  end if;
end $$;
revoke execute on function secure_table(regclass, text, text, boolean) from public;

create table tenant (
  tenant_id varchar(12) primary key check (tenant_id <> ''),
  id bigint not null default next_id() unique,
  tenant_name varchar(60) not null,
  domain varchar(255),
  title_zh varchar(100),
  title_en varchar(160),
  contact varchar(60),
  phone varchar(60),
  account_number int not null default -1,
  expire_time timestamptz,
  background_url varchar(255),
  status int not null default 1,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0
);
create unique index tenant_domain_uq on tenant (lower(domain)) where domain is not null and not is_deleted;
select secure_table('tenant', 'read');
grant select on tenant to kaopu_worker;

-- Append-only; the sealer chains and signs committed rows later (decision 4.3).
create table audit_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null default 0,
  actor_kind varchar(12) not null,
  session_id bigint,
  action varchar(80) not null,
  entity varchar(60) not null,
  entity_id varchar(64),
  before_value jsonb,
  after_value jsonb,
  reason varchar(500),
  ip varchar(45), user_agent varchar(300), trace_id varchar(40),
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index audit_log_entity_ix on audit_log (tenant_id, entity, entity_id, id);
create index audit_log_user_ix on audit_log (tenant_id, user_id, id);
select secure_table('audit_log', 'append', 'user_id', true);

-- Effects that leave the database (messages, renderings, refunds), written in the transaction that causes them and moved to the
-- queue after it. A relay deletes what it has moved, so the table stays small.
create table outbox (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  task varchar(80) not null,
  payload jsonb not null,
  run_at timestamptz,
  job_key varchar(200),
  queue varchar(80),
  created_by bigint not null default 0,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
select secure_table('outbox', 'append', 'created_by', true);
grant select, update, delete on outbox to kaopu_worker;
create policy relay on outbox for all to kaopu_worker using (true);
create function outbox_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_outbox', ''); return null; end $$;
create trigger outbox_notify after insert on outbox for each statement execute function outbox_notify();

-- Answers of creating calls, stored in the transaction of their effect (decision 4.2); a repeated key gets the first answer.
create table idempotency (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  key varchar(80) not null,
  route varchar(160) not null,
  digest char(64) not null,
  status int,
  answer jsonb,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, user_id, key)
);
create index idempotency_created_ix on idempotency (tenant_id, created_at);
select secure_table('idempotency', 'own');

-- Digests of SM2 ciphertexts: each is accepted once (decision 2.11).
create table used_cipher (
  tenant_id varchar(12) not null references tenant,
  digest char(64) not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, digest)
);
select secure_table('used_cipher');

create table stored_file (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  user_id bigint not null,
  purpose varchar(30) not null,
  name varchar(255) not null,
  ext varchar(10) not null,
  mime varchar(100) not null,
  size_bytes bigint not null,
  sha256 char(64) not null,
  storage_key varchar(120) not null,
  checks jsonb,
  -- what keeps the file: an orphan without one is swept after a day
  owner_kind varchar(30), owner_id bigint,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id)
);
create index stored_file_owner_ix on stored_file (tenant_id, owner_kind, owner_id);
create index stored_file_user_ix on stored_file (tenant_id, user_id, created_at);
select secure_table('stored_file', 'own');

-- Settings of the installation that every process shares (the demo's clock offset, first-start marks).
create table installation (
  key varchar(60) primary key,
  value jsonb not null
);
grant select on installation to kaopu_staff, kaopu_candidate, kaopu_system, kaopu_worker;
grant select, insert, update, delete on installation to kaopu_platform;
create function installation_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_installation', coalesce(new.key, old.key)); return null; end $$;
create trigger installation_notify after insert or update or delete on installation for each row execute function installation_notify();

-- verify: select 1 / (case when next_id() > 0 then 1 else 0 end)
