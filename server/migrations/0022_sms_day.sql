-- Text messages a tenant has sent on a day, in billed parts: what the daily budget is counted against (decision 4.7).
-- lock: short (an index on a small table); compatible: yes

create table sms_day (
  tenant_id varchar(12) not null references tenant,
  -- of Asia/Shanghai
  day date not null,
  used int not null default 0 check (used >= 0),
  primary key (tenant_id, day)
);
select secure_table('sms_day');
-- What is on its way is added to what is used when somebody waits for a code.
create index sms_message_waiting_ix on sms_message (tenant_id) include (segments) where state = 0;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'sms_day' and relforcerowsecurity)
