-- Whom a member of staff reports to (framework-contract 3.14): accounts, joined by commas as departments and posts are.
-- lock: a column without a default, no rewrite; compatible: yes

alter table account add column leader_id varchar(4000);

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'account' and column_name = 'leader_id')
