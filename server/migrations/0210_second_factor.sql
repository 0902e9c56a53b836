-- The second factor of staff: the secret of an authenticator app, codes for the day it is lost, and the tickets between the two steps of a login.
-- lock: none (new tables); compatible: yes

create table second_factor (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  -- base32, sealed in its place; null until the first code has confirmed it
  secret_sealed bytea,
  confirmed_at timestamptz,
  -- one that is being set up and opens nothing yet
  pending_sealed bytea,
  pending_until timestamptz,
  -- newest time step that was used: a code is good once
  last_step bigint not null default -1,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, user_id),
  check ((secret_sealed is null) = (confirmed_at is null)),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
select secure_table('second_factor');
-- Administrators see that there is one and take it away; nobody reads the secret but the log-in itself.
revoke all on second_factor from kaopu_staff;
grant select (tenant_id, user_id, confirmed_at), delete on second_factor to kaopu_staff;

create table recovery_code (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  -- keyed digest; the codes are shown once and kept nowhere
  code_hash char(64) not null,
  used_at timestamptz,
  primary key (tenant_id, user_id, code_hash),
  foreign key (tenant_id, user_id) references second_factor (tenant_id, user_id) on delete cascade
);
select secure_table('recovery_code');
revoke all on recovery_code from kaopu_staff;

-- Somebody has proven the first factor; the ticket asks for the second, once, and for nothing else.
create table login_ticket (
  tenant_id varchar(12) not null references tenant,
  key_hash char(64) not null,
  user_id bigint not null,
  client_id varchar(40) not null,
  -- client and browser that took the first step
  fingerprint char(64) not null,
  kind varchar(6) not null check (kind in ('code', 'enrol')),
  grant_type varchar(40) not null,
  -- the roles and departments that were asked for
  role_ids jsonb not null default '[]',
  dept_ids jsonb not null default '[]',
  social_id bigint,
  until timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, key_hash),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
create index login_ticket_until_ix on login_ticket (until);
select secure_table('login_ticket');
revoke all on login_ticket from kaopu_staff;

-- verify: select 1 / (select (count(*) = 3)::int from pg_class where relname in ('second_factor', 'recovery_code', 'login_ticket') and relforcerowsecurity)
