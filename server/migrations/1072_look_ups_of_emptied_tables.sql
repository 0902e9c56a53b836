-- A table that the nightly purge has emptied keeps its pages: over none of them PostgreSQL plans to read the whole table, and each connection goes on doing so while
-- the morning's rush fills it, until it is analysed. With its pages a look-up by key stays one by key.
-- lock: short; compatible: yes
alter table idempotency set (vacuum_truncate = false);
alter table used_cipher set (vacuum_truncate = false);
alter table login_challenge set (vacuum_truncate = false);

-- verify: select 1 / (select (count(*) = 3)::int from pg_class where relname in ('idempotency', 'used_cipher', 'login_challenge') and 'vacuum_truncate=false' = any(reloptions))
