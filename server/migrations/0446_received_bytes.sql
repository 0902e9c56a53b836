-- How large a file was when it came, so that an examination's own limits can be held against it: pictures are stored encoded anew.
-- lock: short (stored_file: a column without a default); compatible: yes

alter table stored_file add column received_bytes bigint;

-- verify: select 1 / (select count(*)::int from pg_attribute where attrelid = 'stored_file'::regclass and attname = 'received_bytes')
