-- What administration keeps of an account: until when a one-time password opens, why it is locked, what a platform adds to it.
-- lock: short (account and session: columns without rewriting); compatible: yes

alter table account add column one_time_until timestamptz;
alter table account add column lock_reason varchar(200);
alter table account add column is_leader boolean not null default false;
-- free text of the platform's own fields, JSON as a rule (framework-contract 3.14)
alter table account add column user_ext varchar(2000) not null default '';

-- A session that its owner has narrowed to some of the roles or departments held: a grant does not widen it again.
alter table session add column is_narrowed boolean not null default false;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'account' and column_name = 'one_time_until')
