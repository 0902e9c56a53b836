-- How much of which fields a role sees; no row: all of it.
-- lock: none (new table); compatible: yes

create table role_field_rule (
  tenant_id varchar(12) not null references tenant,
  role_id bigint not null,
  -- prefix of the noun's permission codes, and the field by its name in the declaration
  noun varchar(60) not null,
  field varchar(60) not null,
  -- 1 through its mask, 2 nothing
  level smallint not null check (level in (1, 2)),
  -- codes by which a role gets to see the noun, as declared when the rule was written
  views varchar(60)[] not null,
  created_by bigint, created_at timestamptz not null default app_now(),
  primary key (tenant_id, role_id, noun, field),
  foreign key (tenant_id, role_id) references role (tenant_id, id)
);
select secure_table('role_field_rule');
create trigger rights_notify after insert or update or delete on role_field_rule for each row execute function rights_notify();

-- verify: select 1 / (select count(*)::int from pg_trigger where tgrelid = 'role_field_rule'::regclass and tgname = 'rights_notify')
