-- Which release ran a migration, and whether the release before keeps running: that one starts on the database then, as when an upgrade is rolled out
-- process by process or failed half-way.
-- lock: none; compatible: the release before keeps running
alter table schema_migration add column release text, add column is_compatible boolean not null default false;

-- verify: select release, is_compatible from schema_migration limit 0
