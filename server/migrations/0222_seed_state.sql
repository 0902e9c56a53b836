-- What a tenant was last seeded with: one that has it already is not gone through again at every start.
-- lock: none (new table); compatible: yes

create table seed_state (
  tenant_id varchar(12) primary key references tenant,
  digest char(64) not null,
  seeded_at timestamptz not null default app_now()
);
select secure_table('seed_state');

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'seed_state' and relforcerowsecurity)
