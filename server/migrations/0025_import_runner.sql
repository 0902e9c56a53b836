-- Which process works on an import: it holds a lock of that number as long as it lives, so that a run whose process was killed blocks nobody.
-- lock: short (one nullable column); compatible: yes

alter table import_job add column runner bigint;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'import_job' and column_name = 'runner')
