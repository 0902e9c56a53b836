-- Whoever is narrowed to departments reads the messages of their examinations, and of tasks those they ordered: one without an examination (an account, a code) is
-- not theirs to read. Writing stays open: what they do may order a message that belongs to no examination.
-- lock: short (policies); compatible: yes

select narrow_with_exam('sms_message');
drop policy within_departments on sms_message;
create policy within_departments on sms_message as restrictive for select to kaopu_staff_narrow, kaopu_system_narrow using (
  exam_id = any((select app_exams())::bigint[])
  or (exam_id is null and exists (
    select 1 from send_task t where t.tenant_id = sms_message.tenant_id and t.id = sms_message.send_id and t.created_by = (select app_user()))));

-- verify: select 1 / (select count(*) from pg_policies where policyname = 'within_departments' and tablename = 'sms_message' and cmd = 'SELECT')
