-- A step of the first day that an office does without: who said so, and when, stands beside the tries.
-- lock: short (a small table); compatible: the release before keeps running
alter table public.setup_try add column is_left_out boolean not null default false;
-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'setup_try' and column_name = 'is_left_out')
