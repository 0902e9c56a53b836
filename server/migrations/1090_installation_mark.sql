-- What tells this installation from others: its identity, that of its data folder, and a fingerprint of every secret. Compared at every start before
-- anything is touched, so that wrong, new or old secrets and other folders are refused.
-- lock: none (a new table); compatible: yes

create table installation_mark (
  -- `identity`: installation and folder; `secret`: by the name of the secret
  kind varchar(10) not null check (kind in ('identity', 'secret')),
  name varchar(60) not null,
  value varchar(64) not null,
  since timestamptz not null default clock_timestamp(),
  -- when another value took its place
  until timestamptz,
  primary key (kind, name, value)
);
create unique index installation_mark_uq on installation_mark (kind, name) where until is null;
grant select on installation_mark to kaopu_platform;
-- Every process reads its keys again when they changed.
create function public.tell_mark() returns trigger language plpgsql set search_path = pg_catalog, public as
$$ begin perform pg_notify('kaopu_installation', 'secrets'); return null; end $$;
create trigger installation_mark_notify after insert or update on installation_mark for each statement execute function public.tell_mark();

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'installation_mark_notify')
