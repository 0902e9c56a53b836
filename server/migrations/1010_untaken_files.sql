-- Uploads that nothing has taken are swept after thirty days: a short list to look them up in.
-- lock: short (an index over few rows); compatible: yes

create index stored_file_untaken_ix on stored_file (created_at) where owner_kind is null;

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'stored_file_untaken_ix')
