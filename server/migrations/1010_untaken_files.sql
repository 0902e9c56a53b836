-- Uploads of candidates that nothing names are swept after thirty days: by this they are found. Those that a sign-up names are in it too, as nothing takes them.
-- lock: short (one index); compatible: yes

create index stored_file_untaken_ix on stored_file (created_at) where owner_kind is null;

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'stored_file_untaken_ix')
