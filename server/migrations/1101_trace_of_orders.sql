-- Ordered work carries the id of the request that ordered it, so that a log tells what belongs together.
-- lock: short (outbox, which is empty but for moments); compatible with the release before, which leaves the column empty.
alter table public.outbox add column trace_id varchar(40);
-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'outbox' and column_name = 'trace_id')
