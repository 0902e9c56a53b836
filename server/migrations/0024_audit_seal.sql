-- The chain over committed audit lines (decision 4.3): what is not sealed yet, the seals, and who may seal.
-- lock: short (a trigger on audit_log; lines that are there already are queued); compatible: yes

-- One row per line that waits for its seal, written by a trigger in the transaction of the line.
create table audit_pending (
  tenant_id varchar(12) not null references tenant,
  audit_id bigint not null,
  user_id bigint not null,
  primary key (tenant_id, audit_id)
);
select secure_table('audit_pending', 'append', 'user_id', true);
revoke select on audit_pending from kaopu_staff, kaopu_system;
grant delete on audit_pending to kaopu_platform;

create function audit_queue() returns trigger language plpgsql as
$$ begin insert into audit_pending (tenant_id, audit_id, user_id) values (new.tenant_id, new.id, new.user_id); return null; end $$;
create trigger audit_queue after insert on audit_log for each row execute function audit_queue();
insert into audit_pending (tenant_id, audit_id, user_id) select tenant_id, id, user_id from audit_log;

-- chain(n) = SM3(chain(n-1) | seq | audit_id | row_hash), signature = HMAC-SM3 under a key that is not in the database.
create table audit_seal (
  tenant_id varchar(12) not null references tenant,
  seq bigint not null,
  audit_id bigint not null,
  row_hash char(64) not null,
  chain_hash char(64) not null,
  signature char(64) not null,
  fence bigint not null,
  sealed_at timestamptz not null,
  primary key (tenant_id, seq)
);
create unique index audit_seal_line_uq on audit_seal (tenant_id, audit_id);
select secure_table('audit_seal', 'none', 'tenant_id', true);
revoke insert on audit_seal from kaopu_staff, kaopu_system;

-- The number of the last sealer that took over; a sealer with an older number writes nothing any more.
create table audit_sealer (
  one boolean primary key default true check (one),
  fence bigint not null default 0,
  taken_at timestamptz
);
insert into audit_sealer default values;
grant select, update on audit_sealer to kaopu_platform;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'audit_seal' and relforcerowsecurity)
