-- When the code or the test was taken, as its sender says: a notice takes none that is older than its hours (domain 3.11).
-- lock: short; compatible: yes

alter table ticket_health add column report_time timestamptz;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'ticket_health' and column_name = 'report_time')
