-- What the console lists of alarms: the order's number, who has closed it.
-- lock: none (a view); compatible: yes

create view pay_alarm_row with (security_invoker = true) as
select a.tenant_id, a.id, a.kind, a.detail, o.order_no, a.created_at as raised_at, (a.handled_at is not null)::int as state,
  u.real_name as handled_name, a.handled_at, a.handle_remark,
  false as is_deleted, a.created_at, coalesce(a.handled_at, a.created_at) as updated_at, 0 as version
from pay_alarm a
left join pay_order o on o.tenant_id = a.tenant_id and o.id = a.order_id
left join account u on u.tenant_id = a.tenant_id and u.id = a.handled_by;
grant select on pay_alarm_row to kaopu_staff, kaopu_system;

-- verify: select 1 / (select count(*) from pg_views where viewname = 'pay_alarm_row')
