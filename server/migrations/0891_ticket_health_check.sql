-- Health documents are looked at by the office, and their images are erased thirty days after the day of the examination (domain 3.11).
-- lock: short; compatible: yes

alter table ticket_health
  -- 0 not looked at, 1 normal, 2 not normal
  add column state int not null default 0 check (state between 0 and 2),
  add column check_user_id bigint,
  add column check_time timestamptz,
  add column check_remark varchar(200),
  add column ip varchar(45),
  add column erased_at timestamptz;
-- What was sent stays as it was sent: the office writes what it found, the program takes the images away.
grant update (state, check_user_id, check_time, check_remark) on ticket_health to kaopu_staff, kaopu_system;
grant update (health_code_file_id, travel_code_file_id, test_report_file_id, erased_at) on ticket_health to kaopu_system;
create policy candidate_unchecked on ticket_health as restrictive for insert to kaopu_candidate with check (state = 0 and check_user_id is null);

-- verify: select 1 / (select (count(*) = 6)::int from information_schema.columns where table_name = 'ticket_health' and column_name in ('state', 'check_user_id', 'check_time', 'check_remark', 'ip', 'erased_at'))
