-- Who has looked at a full id number or phone of a candidate, when and what for (domain P6).
-- lock: none (new table); compatible: yes

create table reveal_log (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  viewer_id bigint not null,
  viewer_name varchar(60) not null,
  signup_id bigint not null,
  -- whose number it is: they may read their own lines
  owner_id bigint not null,
  field varchar(10) not null check (field in ('idCard', 'phone')),
  -- 1 compares papers, 2 contacts the candidate, 3 handles a complaint, 4 another duty by law
  purpose int not null check (purpose between 1 and 4),
  -- asked for beyond the limit of the hour and not shown
  is_blocked boolean not null default false,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id)
);
create index reveal_log_viewer_ix on reveal_log (tenant_id, viewer_id, created_at);
create index reveal_log_owner_ix on reveal_log (tenant_id, owner_id, id);
select secure_table('reveal_log', 'own-read', 'owner_id', true);

-- verify: select 1 / (select count(*) from pg_class where relname = 'reveal_log' and relforcerowsecurity)
