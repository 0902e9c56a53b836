-- Whose money is on its way back: all that was paid for a due has been asked for or approved and is not settled yet. Whoever stands here gets
-- no seat and no ticket. What comes back besides (paid twice, too late, a part) leaves the due paid and is not here.
-- lock: none (a new view); compatible: yes

create view refund_waiting with (security_invoker = true) as
select distinct d.tenant_id, d.signup_id
from exam_pay d
join pay_refund r on r.tenant_id = d.tenant_id and r.pay_id = d.id
where d.state = 'paid' and not d.is_deleted and r.state in ('requested', 'submitted', 'abnormal')
  and (r.order_id is null or r.order_id = d.order_id) and d.refunded_fen + r.amount_fen >= d.paid_fen;
grant select on refund_waiting to kaopu_staff, kaopu_system, kaopu_platform, kaopu_candidate;

-- verify: select 1 / (select count(*)::int from pg_views where viewname = 'refund_waiting')
