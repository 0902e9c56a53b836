-- Examinations belong to departments, and whoever is narrowed to departments reaches theirs and those that name them (domain 2.1, ADR 0053).
-- lock: short (a column without a default, policies); compatible: yes

-- Empty: the examination belongs to nobody in particular, every examination administrator of the tenant reaches it. Rows from before are such.
alter table examination
  add column dept_id bigint,
  add constraint examination_dept_fk foreign key (tenant_id, dept_id) references dept (tenant_id, id);
create index examination_dept_ix on examination (tenant_id, dept_id) where not is_deleted;

-- Departments that narrow the caller, set by the scope; null: nothing does.
create function app_departments() returns bigint[] language sql stable parallel safe as
$$ select nullif(current_setting('app.departments', true), '')::bigint[] $$;
-- They and all below them. Read through the caller's own row security.
create function app_departments_below() returns setof bigint language sql stable parallel safe as
$$ select d.id from dept d where d.tenant_id = app_tenant() and not d.is_deleted and (d.id = any(app_departments()) or d.ancestor_ids && app_departments()) $$;

-- The queries inside do not depend on the row: the first runs once per statement, the second only for somebody who is narrowed.
create policy within_departments on examination as restrictive for all to kaopu_staff, kaopu_system using (
  (select app_departments()) is null
  or dept_id is null
  or managers ? (select app_user())::text
  or dept_id in (select app_departments_below()));

-- What hangs on an examination is reached with it: the query inside reads through the policy above.
-- link: 'exam_id', or another column and the table it leads to, which has such a policy itself.
create function narrow_with_exam(target regclass, link text default 'exam_id', leads_to regclass default 'examination')
returns void language plpgsql as
$$ declare rule text := case
    when leads_to = 'examination'::regclass then format('%I is null or %I in (select e.id from examination e)', link, link)
    else format('%I is null or exists (select 1 from %s up where up.tenant_id = %s.tenant_id and up.id = %s.%I)', link, leads_to, target, target, link)
  end;
begin
  execute format('create policy within_departments on %s as restrictive for all to kaopu_staff, kaopu_system using ((select app_departments()) is null or %s)', target, rule);
end $$;
revoke execute on function narrow_with_exam(regclass, text, regclass) from public;

select narrow_with_exam(target) from unnest(array[
  'exam_counter', 'exam_change', 'exam_item', 'sign_item', 'sign_file', 'type_code', 'import_job', 'exam_user',
  'signup', 'signup_draft', 'examine_record', 'examine_allot', 'recuse', 'exam_pay', 'pay_record_main',
  'ticket', 'ticket_notice', 'ticket_notice_read', 'ticket_down', 'ticket_health', 'ticket_render',
  'result', 'result_correction', 'score_total']::regclass[]) target;
select narrow_with_exam('signup_history', 'signup_id', 'signup');
select narrow_with_exam('reveal_log', 'signup_id', 'signup');
select narrow_with_exam('pay_order', 'pay_id', 'exam_pay');
select narrow_with_exam('pay_posting', 'pay_id', 'exam_pay');
select narrow_with_exam('pay_record', 'pay_id', 'exam_pay');
select narrow_with_exam('pay_refund', 'pay_id', 'exam_pay');
select narrow_with_exam('pay_alarm', 'order_id', 'pay_order');
-- Money that is posted to no due yet belongs to an order.
create policy within_departments on pay_ledger as restrictive for all to kaopu_staff, kaopu_system using (
  (select app_departments()) is null
  or exists (select 1 from exam_pay up where up.tenant_id = pay_ledger.tenant_id and up.id = pay_ledger.pay_id)
  or exists (select 1 from pay_order up where up.tenant_id = pay_ledger.tenant_id and up.id = pay_ledger.order_id));

-- verify: select 1 / (select count(*) / 33 from pg_policies where policyname = 'within_departments')
