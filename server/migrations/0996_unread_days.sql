-- Days on which money came in or went back and whose bill nobody has read stand in the list of reconciliation as what they are: not compared.
-- lock: short (a view with the same columns); compatible: yes

-- As in 0910, with the days of the last three months, which is as long as bills are kept, that have no row yet. Their numbers are below zero: they are no rows.
create or replace view reconciliation_row with (security_invoker = true) as
select b.tenant_id, b.id, b.bill_date, b.channel, b.mchid, b.our_count, b.our_fen::int as our_amount, b.pay_count as bill_count, b.amount_fen::int as bill_amount,
  b.our_refund_fen::int as our_refund, b.refund_fen::int as bill_refund, b.fund_in_fen::int as fund_in, b.fund_out_fen::int as fund_out, b.fund_fee_fen::int as fund_fee,
  b.found_count as diff_count, b.open_count, b.state, b.run_at as run_time, b.problem,
  false as is_deleted, b.created_at, b.updated_at, 0 as version, null::bigint as created_by
from pay_bill b
union all
select u.tenant_id, -((u.day - date '2000-01-01')::bigint * 1000003 + abs(hashtext(u.channel || ' ' || u.mchid)) % 1000003), u.day, u.channel, u.mchid,
  sum(u.paid)::int, sum(u.fen)::int, 0, 0, sum(u.back)::int, 0, null::int, null::int, null::int, 0, 0, 0, null::timestamptz, null::varchar(200),
  false, min(u.at), min(u.at), 0, null::bigint
from (
  select o.tenant_id, (o.success_time at time zone 'Asia/Shanghai')::date as day, o.channel, o.mchid, 1 as paid, o.paid_fen::bigint as fen, 0::bigint as back,
    o.success_time as at
  from pay_order o where o.success_time > app_now() - interval '92 days' and o.success_time < date_trunc('day', app_now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'
  union all
  select r.tenant_id, (r.success_time at time zone 'Asia/Shanghai')::date, o.channel, o.mchid, 0, 0, r.amount_fen::bigint, r.success_time
  from pay_refund r join pay_order o on o.tenant_id = r.tenant_id and o.id = r.order_id
  where r.success_time > app_now() - interval '92 days' and r.voucher_no is null
    and r.success_time < date_trunc('day', app_now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai') u
where not exists (select 1 from pay_bill b where b.tenant_id = u.tenant_id and b.bill_date = u.day and b.channel = u.channel and b.mchid in (u.mchid, ''))
group by u.tenant_id, u.day, u.channel, u.mchid;

-- verify: select count(*) from reconciliation_row where false
