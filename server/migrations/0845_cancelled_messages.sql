-- A message that was cancelled before it was sent is told from one that failed.
-- lock: short; compatible: yes

alter table sms_message drop constraint sms_message_state_check;
alter table sms_message add constraint sms_message_state_check check (state between 0 and 4) not valid;
alter table sms_message validate constraint sms_message_state_check;
update sms_message set state = 4 where state = 3 and fail_kind = 'person' and fail_reason = '已取消';

-- verify: select 1 / (not exists (select 1 from sms_message where state = 3 and fail_reason = '已取消'))::int
