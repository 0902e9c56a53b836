-- Packages of text messages that are valid for so many days: what is left of a purchase runs out at the end of its last day. Purchases of before keep what they have.
-- lock: short (columns without a default, constraints of a small table, two indexes); compatible: yes

alter table send_pay
  -- Of the package as it was when it was bought; null for ever.
  add column valid_days int check (valid_days > 0),
  add column expire_time timestamptz,
  -- Parts of it that are neither used nor run out; null where it never runs out.
  add column left_parts int check (left_parts between 0 and count),
  add check ((expire_time is null) = (left_parts is null));
create index send_pay_left_ix on send_pay (tenant_id, expire_time) where left_parts > 0;

alter table send_ledger
  drop constraint send_ledger_kind_check,
  drop constraint send_ledger_check,
  add check (kind in ('recharge', 'freeze', 'settle', 'release', 'expire')),
  add check ((kind in ('recharge', 'expire')) = (send_pay_id is not null));
drop index send_ledger_pay_uq;
create unique index send_ledger_pay_uq on send_ledger (tenant_id, send_pay_id) where kind = 'recharge';

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'send_pay_left_ix')
