-- The policies of 0230 and 0231 say the same with less for the planner: a query inside a policy is planned with every statement, also for people whom
-- nothing narrows. A list that is made once per statement, and functions that nobody calls unless somebody is narrowed, cost them one comparison.
-- lock: short (policies); compatible: yes

create function app_department_ids() returns bigint[] language sql stable parallel safe as
$$ select coalesce(array_agg(d), '{}') from app_departments_below() d $$;
-- Examinations that the caller reaches, read through the policy of the examination itself; null: nothing narrows.
create function app_exams() returns bigint[] language plpgsql stable parallel safe as
$$ begin
  if app_departments() is null then return null; end if;
  return (select coalesce(array_agg(e.id), '{}') from examination e where e.tenant_id = app_tenant());
end $$;
create function app_reaches_signup(of bigint) returns boolean language sql stable parallel safe as
$$ select exists (select 1 from signup up where up.tenant_id = app_tenant() and up.id = of) $$;
create function app_reaches_due(of bigint) returns boolean language sql stable parallel safe as
$$ select exists (select 1 from exam_pay up where up.tenant_id = app_tenant() and up.id = of) $$;
create function app_reaches_order(of bigint) returns boolean language sql stable parallel safe as
$$ select exists (select 1 from pay_order up where up.tenant_id = app_tenant() and up.id = of) $$;
create function app_reaches_unit(of_signup bigint, noun text) returns boolean language sql stable parallel safe as
$$ select exists (select 1 from signup s where s.tenant_id = app_tenant() and s.id = of_signup and s.unit = any(app_units(noun))) $$;

alter policy within_departments on examination using (
  (select app_departments()) is null
  or dept_id is null
  or managers ? (select app_user())::text
  or dept_id = any((select app_department_ids())::bigint[]));

drop function narrow_with_exam(regclass, text, regclass);
-- For a table to come: what hangs on an examination is reached with it.
-- rule: whether a row is reached. In the usual one no list, and no examination, are neither true nor false: both are let through.
create function narrow_with_exam(target regclass, rule text default '(exam_id = any((select app_exams())::bigint[])) is not false')
returns void language plpgsql as
$$ begin
  execute format('drop policy if exists within_departments on %s', target);
  execute format('create policy within_departments on %s as restrictive for all to kaopu_staff, kaopu_system using (%s)', target, rule);
end $$;
revoke execute on function narrow_with_exam(regclass, text) from public;

select narrow_with_exam(target) from unnest(array[
  'exam_counter', 'exam_change', 'exam_item', 'sign_item', 'sign_file', 'type_code', 'import_job', 'exam_user',
  'signup', 'signup_draft', 'examine_record', 'examine_allot', 'recuse', 'exam_pay', 'pay_record_main',
  'ticket', 'ticket_notice', 'ticket_notice_read', 'ticket_down', 'ticket_health', 'ticket_render',
  'result', 'result_correction', 'score_total']::regclass[]) target;
select narrow_with_exam(target, '(select app_departments()) is null or signup_id is null or app_reaches_signup(signup_id)') from unnest(array['signup_history', 'reveal_log']::regclass[]) target;
select narrow_with_exam(target, '(select app_departments()) is null or pay_id is null or app_reaches_due(pay_id)')
  from unnest(array['pay_order', 'pay_posting', 'pay_record', 'pay_refund']::regclass[]) target;
select narrow_with_exam('pay_alarm', '(select app_departments()) is null or order_id is null or app_reaches_order(order_id)');
-- Money that is posted to no due yet belongs to an order.
select narrow_with_exam('pay_ledger', '(select app_departments()) is null or app_reaches_due(pay_id) or app_reaches_order(order_id)');

alter policy within_units on ticket using ((select app_units('ticket')) is null or app_reaches_unit(signup_id, 'ticket'));

-- verify: select 1 / (select count(*) / 33 from pg_policies where policyname = 'within_departments' and qual not like '%FROM examination%')
