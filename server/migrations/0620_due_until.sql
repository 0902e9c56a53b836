-- Until when a due may be paid has one rule: it ends with the payments of its examination, in both directions, unless it was given an end of its own.
-- Before, whichever end was later counted, so that an end of one's own moved with the examination and an earlier end of payments changed nothing.
-- lock: short (exam_pay: two columns, rows that end by themselves); compatible: yes

alter table exam_pay
  -- Somebody gave this due its end; otherwise `deadline` is what its owner was told last
  add own_deadline boolean not null default false,
  -- One that follows the examination is never over before this: 24 hours for whoever passed after the end of payments (domain 8.1)
  add grace_until timestamptz;

update exam_pay p set own_deadline = true from examination e
where e.tenant_id = p.tenant_id and e.id = p.exam_id and p.source <> 1
  -- ends of examinations written as a last second were made whole (0562)
  and (e.pay_end is null or p.deadline not between e.pay_end - interval '1 second' and e.pay_end);
update exam_pay p set grace_until = p.deadline from examination e
where e.tenant_id = p.tenant_id and e.id = p.exam_id and p.source = 1 and p.deadline > e.pay_end;

create function due_until(is_own boolean, deadline timestamptz, grace timestamptz, pay_end timestamptz) returns timestamptz
language sql immutable parallel safe as
$$ select case when is_own or pay_end is null then deadline else greatest(pay_end, grace) end $$;

-- As in 0320, with the end that counts.
create or replace view exam_pay_row with (security_invoker = true) as
select p.tenant_id, p.id, p.exam_id, e.exam_name, p.item_id, i.item_name, p.signup_id, s.sign_no, s.name, right(s.id_card_mask, 4) as id_card_tail,
  s.unit, s.code, p.pay_kind, p.pay_name, p.amount_fen as amount, p.paid_fen as paid_amount, p.refunded_fen as refund_amount,
  array_position(array['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'], p.state::text) - 1 as state,
  due_until(p.own_deadline, p.deadline, p.grace_until, e.pay_end) as deadline, p.paid_time, array_position(array['wechat', 'bankTransfer', 'cash', 'unit'], p.pay_way::text) as pay_way,
  o.order_no, p.voucher_no, p.is_invoice, p.invoice_title, p.invoice_no, p.source, p.remark,
  p.is_deleted, p.created_at, p.updated_at, p.version, p.created_by,
  (select r.amount_fen from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_amount,
  (select coalesce(case when r.reason = 'other' then r.remark end, r.reason) from pay_refund r
    where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested' and not r.approved_by_rule
    order by r.id limit 1) as asked_reason,
  (select r.amount_fen from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'abnormal' order by r.id limit 1)
    as failed_amount,
  case
    when (p.tenant_id, p.id) in (select r.tenant_id, r.pay_id from pay_refund r where r.state = 'requested' and not r.approved_by_rule) then 1
    when p.state in ('due', 'overdue') and (p.tenant_id, p.id) in (select w.tenant_id, w.pay_id from pay_posting w where w.state = 'waiting') then 2
    when (p.tenant_id, p.id) in (select r.tenant_id, r.pay_id from pay_refund r where r.state = 'abnormal') then 3
  end as waits_for,
  (select (r.order_id is null)::int from pay_refund r where r.tenant_id = p.tenant_id and r.pay_id = p.id and r.state = 'requested'
    and not r.approved_by_rule order by r.id limit 1) as asked_by_hand,
  (select w.amount_fen from pay_posting w where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_amount,
  (select w.created_at from pay_posting w where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_time,
  (select u.real_name from pay_posting w join account u on u.tenant_id = w.tenant_id and u.id = w.posted_by
    where w.tenant_id = p.tenant_id and w.pay_id = p.id and w.state = 'waiting') as posted_name
from exam_pay p
join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id;

-- verify: select 1 / (case when due_until(false, '2026-03-20Z', null, '2026-03-22Z') = '2026-03-22Z' and due_until(true, '2026-03-20Z', null, '2026-03-22Z') = '2026-03-20Z' then 1 else 0 end)
