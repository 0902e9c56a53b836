-- Exports of much personal data wait until somebody else agrees (domain P13): who may agree, who did, and what was said.
-- lock: export_job is closed for an instant, the wider check holds for all rows there are; compatible: yes

alter table export_job drop constraint export_job_state_check;
-- 0 queued, 1 waits for approval, 3 writing, 4 done, 5 failed, 6 cancelled, 7 expired, 8 approval refused
alter table export_job add constraint export_job_state_check check (state in (0, 1, 3, 4, 5, 6, 7, 8));
alter table export_job
  -- the right that whoever agrees must hold; null where nobody is asked
  add column approve_right varchar(60),
  add column what_zh varchar(300), add column what_en varchar(300),
  add column reason varchar(200),
  add column decided_by bigint, add column decided_at timestamptz, add column decided_remark varchar(200);
create index export_job_approval_ix on export_job (tenant_id, approve_right, id desc) where state = 1;

-- verify: select approve_right, what_zh, what_en, reason, decided_by, decided_at, decided_remark from export_job limit 0
