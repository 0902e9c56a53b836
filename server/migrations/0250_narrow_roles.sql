-- Policies that narrow somebody to departments or units hold for database roles of their own: everybody else's queries no longer know of them (ADR 0062).
-- lock: short (policies); compatible: yes (a process of before, which narrows on the role of everybody, is shown nothing)

-- Examinations that the caller reaches, read through the policy of the examination itself; also without departments, then all of the tenant.
create or replace function app_exams() returns bigint[] language plpgsql stable parallel safe as
$$ begin return (select coalesce(array_agg(e.id), '{}') from examination e where e.tenant_id = app_tenant()); end $$;

-- As in 0232, for the roles that narrow. Settings that narrow find no tenant on a role that does not: asked once per scan, not per row.
-- rule: whether a row is reached. In the usual one the list meets the index where there always is an examination; where there may be none, none is let through.
-- narrowing: whether settings narrow the caller.
drop function narrow_with_exam(regclass, text);
create function narrow_with_exam(target regclass, rule text default null, narrowing text default 'current_setting(''app.departments'', true) <> ''''')
returns void language plpgsql as
$$ declare
  listed constant text := 'exam_id = any((select app_exams())::bigint[])';
  is_always_there constant boolean := (select attnotnull from pg_attribute where attrelid = target and attname = 'exam_id');
  tenant_rule constant text := format(
    'tenant_id = case when (%s) and current_user not in (''kaopu_staff_narrow'', ''kaopu_system_narrow'') then null else current_setting(''app.tenant_id'', true) end', narrowing);
begin
  execute format('alter policy tenant_staff on %s using (%s) with check (%s)', target, tenant_rule, tenant_rule);
  execute format('drop policy if exists within_departments on %s', target);
  execute format('create policy within_departments on %s as restrictive for all to kaopu_staff_narrow, kaopu_system_narrow using (%s)', target,
    coalesce(rule, case when is_always_there then listed else format('(%s) is not false', listed) end));
end $$;
revoke execute on function narrow_with_exam(regclass, text, text) from public;

do $$ declare found record; begin
  for found in select format('%I', tablename)::regclass as target, nullif(qual, '((exam_id = ANY (( SELECT app_exams() AS app_exams)::bigint[])) IS NOT FALSE)') as rule
    from pg_policies where schemaname = 'public' and policyname = 'within_departments' loop
    perform narrow_with_exam(found.target, found.rule);
  end loop;
end $$;
select narrow_with_exam('ticket', narrowing => 'current_setting(''app.departments'', true) <> '''' or current_setting(''app.units_ticket'', true) <> ''''');
alter policy within_units on ticket to kaopu_staff_narrow, kaopu_system_narrow;

-- verify: select 1 / (count(*) / 33) from pg_policies where policyname = 'within_departments' and roles = '{kaopu_staff_narrow,kaopu_system_narrow}'
-- verify: select 1 / count(*) from pg_policies where policyname = 'within_departments' and tablename = 'signup' and qual not like '%IS NOT FALSE%'
