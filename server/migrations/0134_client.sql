-- Programs that may ask for tokens (framework-contract 3.12); rows stand in the platform's tenant.
-- lock: none (new table); compatible: yes

create table oauth_client (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  client_id varchar(40) not null,
  client_name varchar(60) not null,
  -- of a random secret, so a plain digest is enough; null: none was made yet and nobody gets a token
  secret_hash char(64),
  secret_state int generated always as (case when secret_hash is null then 0 else 1 end) stored,
  -- comma-joined, as on the wire
  authorized_grant_types varchar(200) not null,
  -- seconds; never longer than the program's own limits
  access_token_validity int not null check (access_token_validity between 60 and 3600),
  refresh_token_validity int not null check (refresh_token_validity between 60 and 604800),
  is_open int not null default 1 check (is_open in (0, 1)),
  remark varchar(255),
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)
);
create unique index oauth_client_id_uq on oauth_client (tenant_id, client_id) where not is_deleted;
select secure_table('oauth_client');

-- verify: select 1 / (select count(*) from pg_class where relname = 'oauth_client' and relforcerowsecurity)
