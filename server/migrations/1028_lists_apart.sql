-- A payment stands in one list that is handed over: another list of the same time leaves it out and says how many it left out.
-- lock: short (one column with a constant, one index on a small table); compatible: yes

alter table pay_export_main add column elsewhere int not null default 0;
create index pay_export_due_ix on pay_export (tenant_id, exam_pay_id);

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'pay_export_due_ix'), elsewhere from pay_export_main limit 0
