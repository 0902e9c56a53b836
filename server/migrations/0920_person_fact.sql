-- What candidates say of themselves to find posts, kept for the next examination.
-- lock: none (new table); compatible: yes

create table person_fact (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  facts jsonb not null default '{}',
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references account (tenant_id, id) on delete cascade
);
select secure_table('person_fact', 'own');

-- verify: select 1 / (select count(*) from pg_class where relname = 'person_fact' and relforcerowsecurity)
