-- A session says which grant opened it: one that an SMS code opened a moment ago needs no password to prove the same person once more.
-- lock: session for a moment (a column with a constant default); compatible: yes

alter table session add column opened_by varchar(30) not null default '';

-- verify: select 1 / (select count(*)::int from pg_attribute where attrelid = 'session'::regclass and attname = 'opened_by')
