-- What was received is handed over once: a list leaves out what another list of the examination has, and says how many that are.
alter table pay_export_main add column skipped int not null default 0 check (skipped >= 0);
-- Which lists a payment stands in.
create index pay_export_due_ix on pay_export (tenant_id, exam_pay_id);
