-- A mark of a device whose clock was not on the paper's day is kept at the time it came in, with what the clock said.
-- lock: short (a column without a default)
-- compatible: the release before keeps running

alter table public.exam_day_mark add column said_at timestamptz;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'exam_day_mark' and column_name = 'said_at')
