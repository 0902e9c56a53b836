-- By which way a person was reached about a proposal against them or their account, and what others than the receiver read of a text message that opens something.
-- lock: sms_message and its view for an instant (a column without a default)
-- compatible: the release before keeps running; what it tells of proposals counts from their beginning, as before

alter table public.sms_message add column shown varchar(500);

create or replace view public.send_message_row with (security_invoker = true) as
select m.tenant_id, m.id, m.send_id, m.exam_id, m.name, m.phone_mask, m.phone_index, m.user_id, m.template, m.channel,
  coalesce(m.shown, case when m.template in ('login-code', 'statement-code', 'account-change') then '******' else m.content end)::varchar as content,
  m.state, m.provider_id as biz_id, m.fail_reason, m.sent_at as send_time, m.segments as segs,
  false as is_deleted, m.created_at, m.created_at as updated_at, 0 as version, null::bigint as created_by
from public.sms_message m;

-- One row for each person and each time that they were told; `subject` names the proposal or the change by its kind and row.
create table public.person_notice (
  tenant_id varchar(12) not null references public.tenant,
  id bigint not null default public.next_id(),
  subject varchar(80) not null,
  user_id bigint not null,
  exam_id bigint,
  sms_id bigint,
  -- What the provider said, as of the message: who decides may not read messages of no examination, and they are not stored as long.
  sms_state int check (sms_state between 0 and 3),
  sms_sent_at timestamptz,
  sms_delivered_at timestamptz,
  sms_fail_kind varchar(20),
  sms_fail_reason varchar(200),
  event_key varchar(120) not null,
  -- What the office did where the text message did not arrive.
  called_at timestamptz,
  called_by bigint,
  called_name varchar(60),
  call_note varchar(200),
  created_by bigint, created_at timestamptz not null default public.app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references public.account (tenant_id, id),
  foreign key (tenant_id, sms_id) references public.sms_message (tenant_id, id) on delete set null (sms_id),
  check ((called_at is null) = (called_name is null))
);
create index person_notice_subject_ix on public.person_notice (tenant_id, subject, id desc);
create index person_notice_sms_ix on public.person_notice (tenant_id, sms_id) where sms_id is not null;
create index person_notice_user_ix on public.person_notice (tenant_id, user_id);
select public.secure_table('public.person_notice');
select public.narrow_with_exam('public.person_notice');

-- verify: select 1 / (select count(*) from pg_class where relname = 'person_notice' and relforcerowsecurity)
