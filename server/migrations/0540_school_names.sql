-- A sign-up asks whether a list knows the school it names: by the full name, or by one that the school once had.
-- lock: school is closed to writers while the indexes are built; compatible: yes

create index school_name_ix on school (tenant_id, school_name);
create index school_alias_ix on school using gin (aliases jsonb_path_ops);

-- verify: select 1 / (select (count(*) = 2)::int from pg_indexes where tablename = 'school' and indexname in ('school_name_ix', 'school_alias_ix'))
