-- Alerts on unusual volume: rules, hourly volumes, how far trail and logs have been counted, alerts with what was done about them.
-- lock: short (triggers on login_log and api_log); compatible: yes

create table watch_rule (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  code varchar(40) not null,
  name_zh varchar(60) not null, name_en varchar(100) not null,
  measure varchar(20) not null,
  span varchar(4) not null check (span in ('hour', 'day')),
  subject varchar(6) not null check (subject in ('person', 'role', 'tenant')),
  -- aliases; empty: everybody
  roles jsonb not null default '[]',
  is_off_hours boolean not null default false,
  threshold int,
  factor numeric(6, 2),
  floor int not null default 1,
  is_on boolean not null default true,
  is_fixed boolean not null default false check (not is_fixed or is_on),
  reason varchar(200) not null default '',
  sort int not null,
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  check (threshold is not null or factor is not null)
);
create unique index watch_rule_code_uq on watch_rule (tenant_id, code);
select secure_table('watch_rule');
revoke delete on watch_rule from kaopu_staff, kaopu_system;

-- When the tenant works, for rules about what happens at other times; without a row from 8 to 18 on five days.
create table watch_office (
  tenant_id varchar(12) not null references tenant,
  from_hour int not null check (from_hour between 0 and 23),
  to_hour int not null check (to_hour between 1 and 24 and to_hour > from_hour),
  -- of the week, from Monday on
  days int not null check (days between 1 and 7),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  primary key (tenant_id)
);
select secure_table('watch_office');
revoke delete on watch_office from kaopu_staff, kaopu_system;

-- How much of a measure somebody did in an hour; user 0: the program, strangers and candidates together.
create table watch_tally (
  tenant_id varchar(12) not null references tenant,
  measure varchar(20) not null,
  user_id bigint not null,
  hour timestamptz not null,
  amount int not null,
  primary key (tenant_id, measure, user_id, hour)
);
create index watch_tally_hour_ix on watch_tally (tenant_id, hour);
select secure_table('watch_tally');
revoke all on watch_tally from kaopu_staff;
grant select on watch_tally to kaopu_staff;

-- How far a tenant's trail has been counted, by the numbers of its chain: they have no gaps and never appear out of order.
create table watch_mark (
  tenant_id varchar(12) not null references tenant,
  audit_seq bigint not null default 0,
  -- lines up to here are what is usual and raise nothing: they were there before the rules were
  quiet_seq bigint not null default 0,
  swept_at timestamptz,
  primary key (tenant_id)
);
select secure_table('watch_mark');
revoke all on watch_mark from kaopu_staff;
insert into watch_mark (tenant_id, quiet_seq) select tenant_id, max(seq) from audit_seal group by tenant_id;

-- Failed log-ins and refused calls that are not counted yet; whoever counts them takes them away.
create table watch_pending (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  measure varchar(20) not null,
  user_id bigint not null,
  happened_at timestamptz not null,
  primary key (tenant_id, id)
);
select secure_table('watch_pending');
revoke select, update, delete on watch_pending from kaopu_staff;
create function watch_logins() returns trigger language plpgsql as
$$ begin
  insert into watch_pending (tenant_id, measure, user_id, happened_at)
  select tenant_id, 'failedLogins', 0, created_at from fresh
  where result not in ('ok', 'guest', 'auth/second-factor', 'refresh-replayed');
  return null;
end $$;
create trigger watch_logins after insert on login_log referencing new table as fresh for each statement execute function watch_logins();
create function watch_calls() returns trigger language plpgsql as
$$ begin
  insert into watch_pending (tenant_id, measure, user_id, happened_at)
  select tenant_id, 'refusals', case when user_type = 1 then user_id else 0 end, created_at from fresh where status in (403, 423);
  return null;
end $$;
create trigger watch_calls after insert on api_log referencing new table as fresh for each statement execute function watch_calls();

create table watch_alert (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  rule_id bigint not null,
  -- the rule as it stood
  name_zh varchar(60) not null, name_en varchar(100) not null,
  measure varchar(20) not null,
  span varchar(4) not null,
  is_off_hours boolean not null,
  threshold int, factor numeric(6, 2), floor int not null,
  subject varchar(6) not null,
  -- of the person, 0 for a role or everybody
  user_id bigint not null,
  role_alias varchar(60) not null,
  window_start timestamptz not null,
  window_end timestamptz not null,
  amount int not null,
  limit_amount int not null,
  usual numeric(12, 1) not null,
  state varchar(10) not null default 'new' check (state in ('new', 'looking', 'finding', 'falseAlarm')),
  last_at timestamptz not null,
  handler_id bigint, handled_at timestamptz,
  created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, rule_id) references watch_rule (tenant_id, id)
);
-- Once for each rule, subject and window, however many processes count.
create unique index watch_alert_once_uq on watch_alert (tenant_id, rule_id, subject, user_id, role_alias, window_start);
create index watch_alert_list_ix on watch_alert (tenant_id, id desc);
create index watch_alert_open_ix on watch_alert (tenant_id, created_at) where state in ('new', 'looking');
select secure_table('watch_alert');
revoke delete on watch_alert from kaopu_staff, kaopu_system;

create table watch_alert_step (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  alert_id bigint not null,
  event varchar(10) not null check (event in ('raise', 'take', 'find', 'dismiss')),
  words varchar(500) not null default '',
  user_id bigint not null,
  created_at timestamptz not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, alert_id) references watch_alert (tenant_id, id)
);
create index watch_alert_step_ix on watch_alert_step (tenant_id, alert_id, id);
select secure_table('watch_alert_step', 'none', 'user_id', true);

-- verify: select 1 / (select count(*)::int / 7 from pg_class where relname like 'watch\_%' and relkind = 'r' and relforcerowsecurity)
