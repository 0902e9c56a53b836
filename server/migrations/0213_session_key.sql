-- The key that a session has agreed on for encrypted calls (S9.19).
-- lock: none (new table); compatible: yes

create table session_key (
  tenant_id varchar(12) not null references tenant,
  session_id bigint not null,
  -- of the name that calls give the key
  handle_hash char(64) not null unique,
  key_sealed bytea not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references session (tenant_id, id) on delete cascade
);
select secure_table('session_key');
revoke all on session_key from kaopu_staff;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'session_key' and relforcerowsecurity)
