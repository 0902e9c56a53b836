-- A password that somebody else made and that opens nothing but its own change.
-- lock: short (one column with a default); compatible: yes

alter table account add column must_change_password boolean not null default false;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'account' and column_name = 'must_change_password')
