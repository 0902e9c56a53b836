-- Fees are let off in part or whole (amendment A11): asked for with a proof, decided by finance; what is open becomes less, what was paid goes back.
-- lock: short (new columns with constant defaults, a check that is replaced, a view with the same columns); compatible: yes

alter table examination add column fee_waiver int not null default 0 check (fee_waiver in (0, 1));

create table fee_waiver (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
  exam_id bigint not null,
  signup_id bigint not null,
  user_id bigint not null,
  kind varchar(12) not null check (kind in ('allowance', 'poverty', 'disability')),
  reason varchar(300) not null,
  proof_file_id bigint not null,
  state varchar(10) not null default 'asked' check (state in ('asked', 'granted', 'refused', 'withdrawn')),
  -- how much of each fee is let off
  percent int check (percent between 1 and 100),
  remark varchar(300),
  decided_by bigint, decided_at timestamptz,
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, exam_id) references examination (tenant_id, id),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  check ((state = 'granted') = (percent is not null))
);
create unique index fee_waiver_person_uq on fee_waiver (tenant_id, signup_id) where not is_deleted;
create index fee_waiver_exam_ix on fee_waiver (tenant_id, exam_id, state);
-- Its owner reads it; what is asked is written by the server, so that nobody lets their own fee off.
select secure_table('fee_waiver', 'own-read');
select narrow_with_exam('fee_waiver');

-- A fee that was paid and let off afterwards goes back, and its owner keeps the place.
alter table exam_pay add column is_waived boolean not null default false;

alter table pay_refund drop constraint pay_refund_reason_check;
alter table pay_refund add constraint pay_refund_reason_check
  check (reason in ('postCancelled', 'duplicate', 'mistake', 'late', 'other', 'outside', 'waived')) not valid;
alter table pay_refund validate constraint pay_refund_reason_check;

-- As in 0563, without refunds of fees that were let off.
create or replace view refund_waiting with (security_invoker = true) as
select d.tenant_id, d.signup_id, bool_or(r.state = 'requested' and not r.approved_by_rule and r.apply_by = d.user_id) as by_owner
from exam_pay d
join pay_refund r on r.tenant_id = d.tenant_id and r.pay_id = d.id
where d.state = 'paid' and not d.is_deleted and r.state in ('requested', 'submitted', 'abnormal') and not d.is_waived
  and (r.order_id is null or r.order_id = d.order_id) and d.refunded_fen + r.amount_fen >= d.paid_fen
group by d.tenant_id, d.signup_id;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'fee_waiver' and relforcerowsecurity), (select is_waived from exam_pay limit 0), (select fee_waiver from examination limit 0)
