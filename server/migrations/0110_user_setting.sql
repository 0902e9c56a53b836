-- How a person wants to see the program, wherever they log in.
-- lock: none (new table); compatible: yes

create table user_setting (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  name varchar(100) not null,
  -- json null: the person went back to what the program does by itself
  -- the program takes half as much; as text of the store it is longer, by blanks
  value jsonb not null check (length(value::text) <= 8000),
  updated_at timestamptz not null default app_now(),
  primary key (tenant_id, user_id, name),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
select secure_table('user_setting', 'own');
-- Colleagues have no business with each other's.
create policy own_only on user_setting as restrictive for all to kaopu_staff
  using (user_id = nullif(current_setting('app.user_id', true), '')::bigint)
  with check (user_id = nullif(current_setting('app.user_id', true), '')::bigint);

-- verify: select 1 / (select count(*) from pg_class where relname = 'user_setting' and relforcerowsecurity)
