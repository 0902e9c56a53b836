-- Nobody decides on their own request.
-- lock: short; compatible: yes

-- The tenant lets applicants decide on what they asked for, or nobody asked: a timer started it.
alter table flow_instance add column decides_own boolean not null default false;
-- Who may not take it: the applicant. Null where the drawing gives the step to the applicant, or the process lets them.
alter table flow_task add column not_for bigint;

-- verify: select 1 / ((select count(*)::int from information_schema.columns where (table_name, column_name) in (('flow_instance', 'decides_own'), ('flow_task', 'not_for'))) / 2)
