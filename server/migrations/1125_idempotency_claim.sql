-- Which call has claimed a key: what a call leaves undone when the database goes away is finished later, and must not touch the claim of a later call.
-- lock: short (a column without default); compatible: the release before keeps running
alter table public.idempotency add column claim uuid;
-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'idempotency' and column_name = 'claim')
