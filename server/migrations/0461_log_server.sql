-- Which server a line comes from, by address too; log-ins name theirs as the other logs do (framework-contract 2.7, 3.17).
-- lock: columns with constant defaults, no rewrite; one index is built while log-ins wait; compatible: yes

alter table api_log add column server_ip varchar(45) not null default '';
alter table usual_log add column server_ip varchar(45) not null default '';
alter table error_log add column server_ip varchar(45) not null default '';
alter table login_log add column server_host varchar(80) not null default '', add column server_ip varchar(45) not null default '';

-- The last wrong try of an account that is locked.
create index login_log_key_ix on login_log (tenant_id, account_key, id);

-- verify: select 1 / (select (count(*) = 4)::int from information_schema.columns where column_name = 'server_ip' and table_name in ('api_log', 'usual_log', 'error_log', 'login_log'))
