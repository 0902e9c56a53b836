-- Rows without an examination belong to all of them, also for whoever reaches none yet: nothing is equal to one of an empty list, and that is false, not unknown.
-- lock: policies of the tables behind examinations are set anew; compatible: yes

create or replace function narrow_with_exam(target regclass, rule text default null, narrowing text default 'current_setting(''app.departments'', true) <> ''''')
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
    coalesce(rule, case when is_always_there then listed else format('exam_id is null or %s', listed) end));
end $$;

do $$ declare target regclass; begin
  for target in select format('%I', tablename)::regclass from pg_policies
    where schemaname = 'public' and policyname = 'within_departments' and qual like '%IS NOT FALSE%' loop
    perform narrow_with_exam(target);
  end loop;
end $$;
-- Runs of imports that belong to no examination; each is seen by its owner only (`ownJob`).
select narrow_with_exam('import_job');

-- verify: select 1 / (select (count(*) = 0)::int from pg_policies where policyname = 'within_departments' and qual like '%IS NOT FALSE%')
-- verify: select 1 / (select count(*) from pg_policies where policyname = 'within_departments' and tablename = 'import_job' and qual like '%exam_id IS NULL%')
