-- Of money on its way back, as in 0561, whether its owner has asked for it and nobody has decided yet: only then can they take the request back.
-- lock: short (a view with one column more); compatible: yes

create or replace view refund_waiting with (security_invoker = true) as
select d.tenant_id, d.signup_id, bool_or(r.state = 'requested' and not r.approved_by_rule and r.apply_by = d.user_id) as by_owner
from exam_pay d
join pay_refund r on r.tenant_id = d.tenant_id and r.pay_id = d.id
where d.state = 'paid' and not d.is_deleted and r.state in ('requested', 'submitted', 'abnormal')
  and (r.order_id is null or r.order_id = d.order_id) and d.refunded_fen + r.amount_fen >= d.paid_fen
group by d.tenant_id, d.signup_id;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'refund_waiting' and column_name = 'by_owner')
