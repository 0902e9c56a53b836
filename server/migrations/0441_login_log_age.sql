-- Lines of the log of log-ins go when they are too old, as those of the other logs; nobody but the purge removes them.
-- lock: the index is built while log-ins wait (a second for a million lines); compatible: yes

create index login_log_age_ix on login_log (tenant_id, created_at);
grant delete on login_log to kaopu_platform;

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'login_log_age_ix')
