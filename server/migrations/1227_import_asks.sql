-- Rows of a file that can be but are doubtful: how many of them nobody has confirmed.
-- lock: import_job for an instant (a column with a constant default)
-- compatible: the release before keeps running

alter table public.import_job add column asked int not null default 0;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'import_job' and column_name = 'asked')
