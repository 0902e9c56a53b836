-- Wrong tries from a browser that its owner has logged in from before: they are counted for themselves, so that strangers lock strangers only.
-- lock: none (new table); compatible: yes

create table device_try (
  tenant_id varchar(12) not null references tenant,
  user_id bigint not null,
  -- of the number in the browser's cookie
  device_hash char(64) not null,
  fail_count int not null default 0,
  fail_since timestamptz,
  locked_until timestamptz,
  lock_level int not null default 0,
  primary key (tenant_id, user_id, device_hash),
  foreign key (tenant_id, user_id) references account (tenant_id, id)
);
select secure_table('device_try');

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'device_try' and relforcerowsecurity)
