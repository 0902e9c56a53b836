-- Which keys each running instance accepts and uses, by their fingerprints: a key is replaced when all of them can open what the next one makes.
-- lock: none (a new table); compatible: yes

create table public.key_holder (
  -- number of the lock that the process holds as long as it lives
  runner bigint primary key,
  host varchar(200) not null,
  accepted text[] not null,
  current text[] not null,
  told_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on public.key_holder to kaopu_platform;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'key_holder')
