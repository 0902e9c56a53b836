-- What a process says of its readiness names the migrations that the database has.
-- lock: none that anybody waits for; compatible with the release before, which does not read the table.
grant select on public.schema_migration to kaopu_platform;
-- verify: select 1 / has_table_privilege('kaopu_platform', 'public.schema_migration', 'select')::int
