-- Functions name the schema of what they use. A dump is restored with an empty search path, where search_key() found nothing, so that the posts and
-- the schools of a restored database were missing; since PostgreSQL 17 maintenance runs with one too.
-- lock: none; compatible: the release before keeps running

create or replace function public.next_id()
 RETURNS bigint
 LANGUAGE sql
AS $function$ select ((extract(epoch from clock_timestamp()) * 1000)::bigint - 1704067200000) << 22 | nextval('public.id_seq') $function$;

create or replace function public.secure_table(target regclass, candidate_access text DEFAULT 'none'::text, owner_column text DEFAULT 'user_id'::text, append_only boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$ declare
  write_grants text := case when append_only then 'select, insert' else 'select, insert, update, delete' end;
  tenant_rule constant text := 'tenant_id = current_setting(''app.tenant_id'', true)';
  own_rule text := tenant_rule || format(' and %I = nullif(current_setting(''app.user_id'', true), '''')::bigint', owner_column);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant_staff on %s for all to kaopu_staff, kaopu_system using (%s) with check (%s)', target, tenant_rule, tenant_rule);
  execute format('create policy platform on %s for all to kaopu_platform using (true) with check (true)', target);
  execute format('grant %s on %s to kaopu_staff, kaopu_system, kaopu_platform', write_grants, target);
  if candidate_access = 'read' then
    execute format('create policy candidate on %s for select to kaopu_candidate using (%s)', target, tenant_rule);
    execute format('grant select on %s to kaopu_candidate', target);
  elsif candidate_access = 'own-read' then
    execute format('create policy candidate on %s for select to kaopu_candidate using (%s)', target, own_rule);
    execute format('grant select on %s to kaopu_candidate', target);
  elsif candidate_access = 'own' then
    execute format('create policy candidate on %s for all to kaopu_candidate using (%s) with check (%s)', target, own_rule, own_rule);
    execute format('grant %s on %s to kaopu_candidate', write_grants, target);
  elsif candidate_access = 'append' then
    execute format('create policy candidate on %s for insert to kaopu_candidate with check (%s)', target, own_rule);
    execute format('grant insert on %s to kaopu_candidate', target);
  elsif candidate_access <> 'none' then
    raise exception 'unknown candidate access %', candidate_access;
  end if;
  if not append_only then
    execute format('create trigger forbid_tenant_change before update of tenant_id on %s for each row execute function public.forbid_tenant_change()', target);
  end if;
end $function$;

create or replace function public.audit_queue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin insert into public.audit_pending (tenant_id, audit_id, user_id) values (new.tenant_id, new.id, new.user_id); return null; end $function$;

create or replace function public.keep_duties_apart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  held int;
begin
  if not exists (select 1 from public.role r where r.tenant_id = new.tenant_id and r.id = new.role_id and r.role_alias in ('admin', 'secadmin', 'auditor')) then
    return null;
  end if;
  -- Two grants at once wait for each other.
  perform 1 from public.account a where a.tenant_id = new.tenant_id and a.id = new.user_id for no key update;
  select count(distinct r.role_alias) into held from public.account_role ar join public.role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
    where ar.tenant_id = new.tenant_id and ar.user_id = new.user_id and not r.is_deleted and r.role_alias in ('admin', 'secadmin', 'auditor');
  if held > 1 then raise exception 'one person holds one of admin, secadmin and auditor' using errcode = '23514'; end if;
  return null;
end $function$;

create or replace function public.people_of_departments(departments bigint[], below boolean)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$ select distinct k.user_id from public.account_dept k
   where k.tenant_id = public.app_tenant() and k.dept_id = any(departments)
     and (below or exists (select 1 from public.account a where a.tenant_id = k.tenant_id and a.id = k.user_id and a.dept_ids && departments)) $function$;

create or replace function public.app_departments_below()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select d.id from public.dept d where d.tenant_id = public.app_tenant() and not d.is_deleted and (d.id = any(public.app_departments()) or d.ancestor_ids && public.app_departments()) $function$;

create or replace function public.app_department_ids()
 RETURNS bigint[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select coalesce(array_agg(d), '{}') from public.app_departments_below() d $function$;

create or replace function public.app_exams()
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$ begin return (select coalesce(array_agg(e.id), '{}') from public.examination e where e.tenant_id = public.app_tenant()); end $function$;

create or replace function public.app_reaches_signup(of bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select exists (select 1 from public.signup up where up.tenant_id = public.app_tenant() and up.id = of) $function$;

create or replace function public.app_reaches_due(of bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select exists (select 1 from public.exam_pay up where up.tenant_id = public.app_tenant() and up.id = of) $function$;

create or replace function public.app_reaches_order(of bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select exists (select 1 from public.pay_order up where up.tenant_id = public.app_tenant() and up.id = of) $function$;

create or replace function public.app_reaches_unit(of_signup bigint, noun text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select exists (select 1 from public.signup s where s.tenant_id = public.app_tenant() and s.id = of_signup and s.unit = any(public.app_units(noun))) $function$;

create or replace function public.narrow_with_exam(target regclass, rule text DEFAULT NULL::text, narrowing text DEFAULT 'current_setting(''app.departments'', true) <> '''''::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$ declare
  listed constant text := 'exam_id = any((select public.app_exams())::bigint[])';
  is_always_there constant boolean := (select attnotnull from pg_attribute where attrelid = target and attname = 'exam_id');
  tenant_rule constant text := format(
    'tenant_id = case when (%s) and current_user not in (''kaopu_staff_narrow'', ''kaopu_system_narrow'') then null else current_setting(''app.tenant_id'', true) end', narrowing);
begin
  execute format('alter policy tenant_staff on %s using (%s) with check (%s)', target, tenant_rule, tenant_rule);
  execute format('drop policy if exists within_departments on %s', target);
  execute format('create policy within_departments on %s as restrictive for all to kaopu_staff_narrow, kaopu_system_narrow using (%s)', target,
    coalesce(rule, case when is_always_there then listed else format('exam_id is null or %s', listed) end));
end $function$;

create or replace function public.search_parts(word text, shortest integer)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select distinct substr(w, at, size)
  from (select public.search_fold(word) union all select unnest(string_to_array(public.pinyin_initials(left(word, 60)), ' ')) where shortest = 0) t(w),
    generate_series(greatest(shortest, 1), 3) size, generate_series(1, length(w) - size + 1) at $function$;

create or replace function public.keep_search_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  row_was jsonb := case when tg_op <> 'INSERT' and not old.is_deleted then to_jsonb(old) end;
  row_is jsonb := case when tg_op <> 'DELETE' and not new.is_deleted then to_jsonb(new) end;
  word_was text;
  word_is text;
begin
  for n in 0 .. tg_nargs - 1 by 3 loop
    word_was := row_was ->> tg_argv[n];
    word_is := row_is ->> tg_argv[n];
    continue when word_was is not distinct from word_is;
    delete from public.search_part s using public.search_parts(word_was, tg_argv[n + 2]::int) p
      where s.tenant_id = old.tenant_id and s.field = tg_argv[n + 1] and s.part = p and s.row_id = old.id;
    insert into public.search_part (tenant_id, field, part, row_id)
      select new.tenant_id, tg_argv[n + 1], p, new.id from public.search_parts(word_is, tg_argv[n + 2]::int) p;
  end loop;
  return null;
end $function$;

create or replace function public.place_people(of_tenant text, people bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$ begin
  -- A department that is being moved is waited for: its chain is read behind the move, and the move finds who came before it.
  perform 1 from public.dept d where d.tenant_id = of_tenant and d.id in (select unnest(a.dept_ids) from public.account a where a.tenant_id = of_tenant and a.id = any(people))
    order by d.id for share;
  delete from public.account_dept where tenant_id = of_tenant and user_id = any(people);
  insert into public.account_dept (tenant_id, dept_id, user_id, user_type)
    select distinct a.tenant_id, above, a.id, a.user_type from public.account a, unnest(a.dept_ids) own join public.dept d on d.id = own, unnest(d.ancestor_ids || d.id) above
    where a.tenant_id = of_tenant and d.tenant_id = of_tenant and a.id = any(people) and not a.is_deleted;
end $function$;

create or replace function public.place_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  perform public.place_people(new.tenant_id, array[new.id]);
  return null;
end $function$;

create or replace function public.place_moved_department()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  perform public.place_people(new.tenant_id, (select array_agg(a.id) from public.account_dept k join public.account a on a.tenant_id = k.tenant_id and a.id = k.user_id and new.id = any(a.dept_ids)
    where k.tenant_id = new.tenant_id and k.dept_id = new.id));
  return null;
end $function$;

create or replace function public.drop_roles_of_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  delete from public.account_role where tenant_id = new.tenant_id and user_id = new.id;
  return null;
end $function$;

create or replace function public.watch_logins()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.watch_pending (tenant_id, measure, user_id, happened_at) values (new.tenant_id, 'failedLogins', 0, new.created_at);
  return null;
end $function$;

create or replace function public.watch_calls()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.watch_pending (tenant_id, measure, user_id, happened_at)
  select tenant_id, 'refusals', case when user_type = 1 then user_id else 0 end, created_at from fresh where status in (403, 423);
  return null;
end $function$;

create or replace function public.exports_stopped(who bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select exists (select 1 from public.watch_alert where user_id = who and subject = 'person' and stopped_at is not null and state <> 'falseAlarm' and window_end > public.app_now()) $function$;

create or replace function public.stop_exports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if public.exports_stopped(new.user_id) then raise exception 'exports are stopped' using errcode = 'KP801'; end if;
  return new;
end $function$;

create or replace function public.result_of_signup()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'on'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$ begin
  if exists (select from written w
    where not exists (select from public.signup s where s.tenant_id = w.tenant_id and s.id = w.signup_id and s.exam_id = w.exam_id)) then
    raise exception 'a result belongs to a sign-up of its examination' using errcode = '23503', constraint = 'result_signup', table = 'result';
  end if;
  return null;
end $function$;

create or replace function public.signup_keeps_results()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if exists (select from public.result r where r.tenant_id = old.tenant_id and r.exam_id = old.exam_id and r.signup_id = old.id) then
    raise exception 'a sign-up that has results stays' using errcode = '23503', constraint = 'result_signup', table = 'signup';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

create or replace function public.renew_form_stamp()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.form_stamp (tenant_id) select distinct tenant_id from changed order by tenant_id
    on conflict (tenant_id) do update set stamp = excluded.stamp;
  return null;
end $function$;

create or replace function public.note_adjust_field()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed public.sign_item := coalesce(new, old);
begin
  update public.examination e set allow_adjust = asked.it
  from (select exists (
    select from public.sign_item where tenant_id = changed.tenant_id and exam_id = changed.exam_id and item_key = 'adjust' and not is_deleted
  ) as it) as asked
  where e.tenant_id = changed.tenant_id and e.id = changed.exam_id and e.allow_adjust <> asked.it;
  return null;
end
$function$;

create or replace function public.apart_roles_of(t character varying, u bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$ select coalesce(array_agg(r.role_alias::text), '{}') from public.account_role ar join public.role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
   where ar.tenant_id = t and ar.user_id = u and not r.is_deleted and r.role_alias in ('admin', 'secadmin', 'auditor') $function$;

create or replace function public.tell_auditors(t character varying, also bigint, but bigint, zh text, en text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$ declare
  who text := coalesce((select account from public.account where tenant_id = t and id = public.app_user()), '');
begin
  insert into public.notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, need_sure, event_key)
  select t, u, null, 7, '管理员、安全管理员或审计监督有变更', 'A change of administrators, security administrators or auditors',
    left(zh || case when who = '' then '（由系统或服务器命令执行）' else '（操作人 ' || who || '）' end, 500),
    left(en || case when who = '' then ' (by the program, or a command of the server)' else ' (by ' || who || ')' end, 800),
    '/monitor/audit', false, 'apart-' || public.next_id()
  from (
    select ar.user_id as u from public.account_role ar join public.role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
    where ar.tenant_id = t and r.role_alias = 'auditor' and not r.is_deleted
    union select also where also is not null) a
  where u is distinct from but;
end $function$;

create or replace function public.watch_apart_grants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  line public.account_role := case when tg_op = 'DELETE' then old else new end;
  named public.role;
  copies text[] := '{}';
  account_name text;
begin
  select r.* into named from public.role r where r.tenant_id = line.tenant_id and r.id = line.role_id and r.role_alias <> 'candidate';
  if not found then return null; end if;
  if named.role_alias not in ('admin', 'secadmin', 'auditor') then
    copies := public.kept_copies(line.tenant_id, line.role_id);
  end if;
  if current_user like 'kaopu\_staff%' then
    if line.user_id is distinct from public.app_user() then
      if named.role_alias in ('admin', 'secadmin', 'auditor') and not named.role_alias = any (public.apart_roles_of(line.tenant_id, public.app_user())) then
        raise exception 'the role % is kept apart from those of whoever grants or takes it', named.role_alias using errcode = '42501';
      end if;
      if exists (select 1 from unnest(copies) c where not public.may_give_kept(line.tenant_id, public.app_user(), c)) then
        raise exception 'the role % holds rights that are kept apart from whoever grants or takes it', named.role_alias using errcode = '42501';
      end if;
    end if;
    if tg_op = 'INSERT' and public.is_torn(line.tenant_id, array(select role_id from public.account_role where tenant_id = line.tenant_id and user_id = line.user_id)) then
      raise exception 'the account % would hold rights that are kept apart from each other', line.user_id using errcode = '42501';
    end if;
  end if;
  if named.role_alias not in ('admin', 'secadmin', 'auditor') and copies = '{}' then return null; end if;
  select account into account_name from public.account where tenant_id = line.tenant_id and id = line.user_id;
  if tg_op = 'INSERT' then
    perform public.tell_auditors(line.tenant_id, null, line.user_id,
      format('账号 %s 被授予角色“%s”', account_name, named.role_name) || case when copies = '{}' then '' else '，其中含有须分开的权限' end,
      format('The account %s was given the role %s', account_name, named.role_alias) || case when copies = '{}' then '' else ', which holds rights that are kept apart' end);
  else
    perform public.tell_auditors(line.tenant_id, case when named.role_alias = 'auditor' then line.user_id end, null,
      format('账号 %s 被收回角色“%s”', account_name, named.role_name), format('The role %s was taken from the account %s', named.role_alias, account_name));
  end if;
  return null;
end $function$;

create or replace function public.watch_apart_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  held text[] := public.apart_roles_of(new.tenant_id, new.id);
begin
  if held = '{}' then return null; end if;
  if current_user like 'kaopu\_staff%' and new.id is distinct from public.app_user() and not held <@ public.apart_roles_of(new.tenant_id, public.app_user()) then
    raise exception 'the account % is kept apart from whoever changes it', new.id using errcode = '42501';
  end if;
  perform public.tell_auditors(new.tenant_id, null, null,
    format('账号 %s（%s）被%s', new.account, array_to_string(held, '、'), case
      when new.is_deleted and not old.is_deleted then '删除'
      when new.must_change_password and new.password_hash is distinct from old.password_hash then '重置密码'
      when new.lock_begin is distinct from old.lock_begin and new.status = old.status then '预定锁定或取消锁定'
      when new.status = 4 then '锁定' when new.status = 2 then '停用' when new.status = 1 then '启用或解锁' else '变更状态' end),
    format('The account %s (%s) was %s', new.account, array_to_string(held, ', '), case
      when new.is_deleted and not old.is_deleted then 'removed'
      when new.must_change_password and new.password_hash is distinct from old.password_hash then 'given a one-time password'
      when new.lock_begin is distinct from old.lock_begin and new.status = old.status then 'to be locked, or no longer'
      when new.status = 4 then 'locked' when new.status = 2 then 'disabled' when new.status = 1 then 'enabled or unlocked' else 'changed' end));
  return null;
end $function$;

create or replace function public.watch_apart_menus()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  line record;
begin
  for line in select distinct r.tenant_id, r.role_name, r.role_alias from fresh f join public.role r on r.tenant_id = f.tenant_id and r.id = f.role_id
    join public.menu m on m.tenant_id = f.tenant_id and m.id = f.menu_id and m.created_by is null
    where r.role_alias in ('admin', 'secadmin', 'auditor') and not r.is_deleted loop
    if current_user like 'kaopu\_staff%' then
      raise exception 'the role % is kept apart: nobody changes it alone', line.role_alias using errcode = '42501';
    end if;
    perform public.tell_auditors(line.tenant_id, null, null, format('角色“%s”的权限被调整', line.role_name), format('What the role %s may do was changed', line.role_alias));
  end loop;
  -- Every other role, as far as rights come or go that are kept apart and that the seed does not give it.
  for line in select r.tenant_id, r.id, r.role_name, r.role_alias, array_agg(m.code::text order by m.code) as codes,
      string_agg(coalesce(p.name || ' › ', '') || m.name, '、' order by m.code) as zh, string_agg(m.code, ', ' order by m.code) as en
    from fresh f join public.role r on r.tenant_id = f.tenant_id and r.id = f.role_id join public.menu m on m.tenant_id = f.tenant_id and m.id = f.menu_id
      left join public.menu p on p.tenant_id = m.tenant_id and p.id = m.parent_id
    where r.role_alias not in ('admin', 'secadmin', 'auditor') and not r.is_deleted and not r.role_alias = any (public.kept_for(m.code))
    group by r.tenant_id, r.id, r.role_name, r.role_alias loop
    if current_user like 'kaopu\_staff%' then
      if exists (select 1 from unnest(line.codes) c where not public.may_give_kept(line.tenant_id, public.app_user(), c)) then
        raise exception 'rights are kept apart from whoever gives them to the role % or takes them', line.role_alias using errcode = '42501';
      end if;
      if tg_op = 'INSERT' and public.is_torn(line.tenant_id, array[line.id]) then
        raise exception 'the role % would hold rights that are kept apart from each other', line.role_alias using errcode = '42501';
      end if;
    end if;
    perform public.tell_auditors(line.tenant_id, null, null,
      format(case tg_op when 'INSERT' then '角色“%s”被授予须分开的权限：%s' else '角色“%s”被收回须分开的权限：%s' end, line.role_name, left(line.zh, 300)),
      format(case tg_op when 'INSERT' then 'The role %s was given rights that are kept apart: %s' else 'Rights that are kept apart were taken from the role %s: %s' end, line.role_alias, left(line.en, 400)));
  end loop;
  return null;
end $function$;

create or replace function public.watch_apart_fields()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  line record;
begin
  for line in select distinct r.tenant_id, r.role_name, r.role_alias from fresh f join public.role r on r.tenant_id = f.tenant_id and r.id = f.role_id
    where r.role_alias in ('admin', 'secadmin', 'auditor') and not r.is_deleted loop
    if current_user like 'kaopu\_staff%' and not public.apart_roles_of(line.tenant_id, public.app_user()) && (case line.role_alias
      when 'admin' then '{admin,secadmin}'::text[] when 'secadmin' then '{secadmin}' else '{}' end) then
      raise exception 'what the role % sees is kept apart from whoever changes it', line.role_alias using errcode = '42501';
    end if;
    perform public.tell_auditors(line.tenant_id, null, null, format('角色“%s”的字段权限被调整', line.role_name), format('What the role %s sees of fields was changed', line.role_alias));
  end loop;
  return null;
end $function$;

create or replace function public.may_give_kept(t character varying, u bigint, code text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select public.kept_for(code) is null
   or exists (select 1 from public.account_role ar join public.role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
     where ar.tenant_id = t and ar.user_id = u and not r.is_deleted and r.role_alias = any (public.kept_for(code)))
   or ('administrator' = any (public.kept_for(code)) and exists (select 1 from public.account_role ar
     join public.role_menu rm on rm.tenant_id = ar.tenant_id and rm.role_id = ar.role_id
     join public.menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
     where ar.tenant_id = t and ar.user_id = u and m.code = may_give_kept.code)) $function$;

create or replace function public.is_torn(t character varying, role_ids bigint[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ with duties as (
     select array[r.role_alias::text] as who from public.role r where r.tenant_id = t and r.id = any (role_ids) and r.role_alias in ('admin', 'secadmin', 'auditor')
     union select public.kept_for(m.code) from public.role r join public.role_menu rm on rm.tenant_id = r.tenant_id and rm.role_id = r.id
       join public.menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
       where r.tenant_id = t and r.id = any (role_ids) and r.role_alias not in ('admin', 'secadmin', 'auditor') and public.kept_for(m.code) is not null)
   select not exists (select 1 from unnest('{administrator,admin,secadmin,auditor}'::text[]) one where not exists (select 1 from duties where not one = any (who))) $function$;

create or replace function public.kept_copies(t character varying, r bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$ select coalesce(array_agg(m.code::text order by m.code), '{}') from public.role x join public.role_menu rm on rm.tenant_id = x.tenant_id and rm.role_id = x.id
   join public.menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
   where x.tenant_id = t and x.id = r and x.role_alias not in ('admin', 'secadmin', 'auditor') and not x.role_alias = any (public.kept_for(m.code)) $function$;

create or replace function public.search_key(word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select public.search_fold(word) || E'\n' || public.pinyin_initials(left(word, 60)) $function$;

create or replace function public.keep_parts_of_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.search_part (tenant_id, field, part, row_id)
    select a.tenant_id, 'an', p, a.id from added a, public.search_parts(a.real_name, 1) p where not a.is_deleted
    union all
    select a.tenant_id, 'aa', p, a.id from added a, public.search_parts(a.account, 3) p where not a.is_deleted;
  return null;
end $function$;

create or replace function public.count_new_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.row_count (tenant_id, counted, n)
    select r.tenant_id, public.row_count_name(tg_table_name, tg_argv[0], to_jsonb(r)), count(*) from changed r where not r.is_deleted group by 1, 2;
  return null;
end $function$;

create or replace function public.count_gone_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.row_count (tenant_id, counted, n)
    select r.tenant_id, public.row_count_name(tg_table_name, tg_argv[0], to_jsonb(r)), -count(*) from changed r where not r.is_deleted group by 1, 2;
  return null;
end $function$;

create or replace function public.count_removed_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  insert into public.row_count (tenant_id, counted, n)
    values (new.tenant_id, public.row_count_name(tg_table_name, tg_argv[0], to_jsonb(new)), case when new.is_deleted then -1 else 1 end);
  return null;
end $function$;

create or replace function public.signup_scores_notify()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if exists (select 1 from public.exam_item i where i.exam_id = old.exam_id and i.score_state = 'released') then
    perform pg_notify('kaopu_cache', 'scores:' || old.tenant_id || ' ' || old.exam_id);
  end if;
  return null;
end $function$;

create or replace function public.keep_signup_tallies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  was boolean := tg_op <> 'INSERT' and old.examine <> 'draft' and not old.is_deleted;
  counts boolean := tg_op <> 'DELETE' and new.examine <> 'draft' and not new.is_deleted;
  moves boolean := was <> counts or (old.exam_id, old.unit) is distinct from (new.exam_id, new.unit);
  submitted_was timestamptz := case when was and old.examine <> 'withdrawn' then public.hour_of(old.first_submit_time) end;
  submitted_is timestamptz := case when counts and new.examine <> 'withdrawn' then public.hour_of(new.first_submit_time) end;
  waiting_was timestamptz := case when was and old.examine in ('waiting', 'second') then public.hour_of(old.submit_time) end;
  waiting_is timestamptz := case when counts and new.examine in ('waiting', 'second') then public.hour_of(new.submit_time) end;
  passed_was timestamptz := case when was and old.examine = 'passed' then public.hour_of(old.examine_time) end;
  passed_is timestamptz := case when counts and new.examine = 'passed' then public.hour_of(new.examine_time) end;
  submitted boolean := moves or submitted_was is distinct from submitted_is;
  waiting boolean := moves or waiting_was is distinct from waiting_is;
  passed boolean := moves or passed_was is distinct from passed_is;
begin
  if moves or (old.examine, old.code, old.type, old.pay_state) is distinct from (new.examine, new.code, new.type, new.pay_state) then
    insert into public.signup_tally (tenant_id, exam_id, examine, unit, code, type, pay_state, n)
      select v.tenant_id, v.exam_id, v.examine, coalesce(v.unit, ''), coalesce(v.code, ''), coalesce(v.type, ''), v.pay_state, v.n
      from (values (was, old.tenant_id, old.exam_id, old.examine, old.unit, old.code, old.type, old.pay_state, -1),
        (counts, new.tenant_id, new.exam_id, new.examine, new.unit, new.code, new.type, new.pay_state, 1))
        v(counts, tenant_id, exam_id, examine, unit, code, type, pay_state, n)
      where v.counts;
  end if;
  if submitted or waiting or passed then
    insert into public.signup_hour (tenant_id, exam_id, event, unit, at, n)
      select v.tenant_id, v.exam_id, v.event, coalesce(v.unit, ''), v.at, v.n
      from (values (submitted, old.tenant_id, old.exam_id, 'submitted', old.unit, submitted_was, -1),
        (submitted, new.tenant_id, new.exam_id, 'submitted', new.unit, submitted_is, 1),
        (waiting, old.tenant_id, old.exam_id, 'waiting', old.unit, waiting_was, -1),
        (waiting, new.tenant_id, new.exam_id, 'waiting', new.unit, waiting_is, 1),
        (passed, old.tenant_id, old.exam_id, 'passed', old.unit, passed_was, -1),
        (passed, new.tenant_id, new.exam_id, 'passed', new.unit, passed_is, 1)) v(differs, tenant_id, exam_id, event, unit, at, n)
      where v.differs and v.at is not null;
  end if;
  return null;
end $function$;

create or replace function public.mend_signup_tallies(of_tenant character varying, of_exam bigint)
 RETURNS integer
 LANGUAGE sql
AS $function$
  with found as (
    select s.examine, coalesce(s.unit, '') as unit, coalesce(s.code, '') as code, coalesce(s.type, '') as type, s.pay_state, public.hour_of(s.first_submit_time) as submitted,
      public.hour_of(s.submit_time) as waiting, public.hour_of(s.examine_time) as passed, count(*) as n
    from public.signup s where s.tenant_id = of_tenant and s.exam_id = of_exam and s.examine <> 'draft' and not s.is_deleted group by 1, 2, 3, 4, 5, 6, 7, 8),
  payer as (
    select s.id, coalesce(s.unit, '') as unit, public.hour_of(p.at) as at
    from (select signup_id, min(paid_time) as at from public.exam_pay
      where tenant_id = of_tenant and exam_id = of_exam and state = 'paid' and not is_deleted group by signup_id) p
    join public.signup s on s.tenant_id = of_tenant and s.id = p.signup_id
    where s.exam_id = of_exam and s.examine not in ('draft', 'withdrawn') and not s.is_deleted and p.at is not null),
  gone as (
    delete from public.signup_paid k where tenant_id = of_tenant and exam_id = of_exam and not exists (select from payer p where p.id = k.signup_id)),
  put as (
    insert into public.signup_paid (tenant_id, exam_id, signup_id, unit, at) select of_tenant, of_exam, id, unit, at from payer
    on conflict (tenant_id, signup_id) do update set unit = excluded.unit, at = excluded.at where (signup_paid.unit, signup_paid.at) <> (excluded.unit, excluded.at)),
  tally as (
    insert into public.signup_tally (tenant_id, exam_id, examine, unit, code, type, pay_state, n)
    select of_tenant, of_exam, examine, unit, code, type, pay_state, sum(n) from (
      select examine, unit, code, type, pay_state, n from found
      union all select examine, unit, code, type, pay_state, -n from public.signup_tally where tenant_id = of_tenant and exam_id = of_exam) d
    group by examine, unit, code, type, pay_state having sum(n) <> 0 returning 1),
  hours as (
    insert into public.signup_hour (tenant_id, exam_id, event, unit, at, n)
    select of_tenant, of_exam, event, unit, at, sum(n) from (
      select 'submitted' as event, unit, submitted as at, n from found where examine <> 'withdrawn' and submitted is not null
      union all select 'waiting', unit, waiting, n from found where examine in ('waiting', 'second') and waiting is not null
      union all select 'passed', unit, passed, n from found where examine = 'passed' and passed is not null
      union all select 'paid', unit, at, 1 from payer
      union all select event, unit, at, -n from public.signup_hour where tenant_id = of_tenant and exam_id = of_exam) d
    group by event, unit, at having sum(n) <> 0 returning 1)
  select (select count(*)::int from tally) + (select count(*)::int from hours)
$function$;

create or replace function public.keep_signup_name_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  was boolean := tg_op <> 'INSERT' and old.examine <> 'draft' and not old.is_deleted;
  counts boolean := tg_op <> 'DELETE' and new.examine <> 'draft' and not new.is_deleted;
begin
  if was and counts and old.name is not distinct from new.name and old.exam_id = new.exam_id then
    update public.signup_name_part p set is_over = new.examine not in ('waiting', 'second'), submit_time = coalesce(new.submit_time, 'infinity')
      where p.tenant_id = old.tenant_id and p.exam_id = old.exam_id and p.part = any(array(select public.name_parts(old.name)))
        and p.is_over = (old.examine not in ('waiting', 'second')) and p.submit_time = coalesce(old.submit_time, 'infinity') and p.signup_id = old.id;
    return null;
  end if;
  if was then
    delete from public.signup_name_part p
      where p.tenant_id = old.tenant_id and p.exam_id = old.exam_id and p.part = any(array(select public.name_parts(old.name)))
        and p.is_over = (old.examine not in ('waiting', 'second')) and p.submit_time = coalesce(old.submit_time, 'infinity') and p.signup_id = old.id;
  end if;
  if counts then
    insert into public.signup_name_part (tenant_id, exam_id, part, is_over, submit_time, signup_id)
      select new.tenant_id, new.exam_id, n, new.examine not in ('waiting', 'second'), coalesce(new.submit_time, 'infinity'), new.id from public.name_parts(new.name) n;
  end if;
  return null;
end $function$;

create or replace function public.fill_signup_name_parts()
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from public.signup_name_part;
  insert into public.signup_name_part
    select s.tenant_id, s.exam_id, n, s.examine not in ('waiting', 'second'), coalesce(s.submit_time, 'infinity'), s.id
    from public.signup s, public.name_parts(s.name) n where s.examine <> 'draft' and not s.is_deleted;
$function$;

create or replace function public.first_paid(of_tenant character varying, of_signup bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$ select min(paid_time) from public.exam_pay where tenant_id = of_tenant and signup_id = of_signup and state = 'paid' and not is_deleted $function$;

create or replace function public.tally_paid(of_tenant character varying, of_signup bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$ declare
  s record;
  was record;
  since timestamptz;
begin
  select exam_id, coalesce(unit, '') as unit, examine not in ('draft', 'withdrawn') and not is_deleted as counts into s
    from public.signup where tenant_id = of_tenant and id = of_signup for no key update;
  if found and s.counts then since := public.hour_of(public.first_paid(of_tenant, of_signup)); end if;
  select exam_id, unit, at into was from public.signup_paid where tenant_id = of_tenant and signup_id = of_signup;
  if since is not distinct from was.at and (since is null or s.unit = was.unit) then return; end if;
  if was.at is not null then
    delete from public.signup_paid where tenant_id = of_tenant and signup_id = of_signup;
    insert into public.signup_hour (tenant_id, exam_id, event, unit, at, n) values (of_tenant, was.exam_id, 'paid', was.unit, was.at, -1);
  end if;
  if since is not null then
    insert into public.signup_paid (tenant_id, exam_id, signup_id, unit, at) values (of_tenant, s.exam_id, of_signup, s.unit, since);
    insert into public.signup_hour (tenant_id, exam_id, event, unit, at, n) values (of_tenant, s.exam_id, 'paid', s.unit, since, 1);
  end if;
end $function$;

create or replace function public.keep_paid_of_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if tg_op <> 'INSERT' then perform public.tally_paid(old.tenant_id, old.signup_id); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.signup_id <> old.signup_id) then perform public.tally_paid(new.tenant_id, new.signup_id); end if;
  return null;
end $function$;

create or replace function public.keep_paid_of_signup()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if exists (select from public.exam_pay where tenant_id = old.tenant_id and signup_id = old.id and state = 'paid') then perform public.tally_paid(old.tenant_id, old.id); end if;
  return null;
end $function$;

create or replace function public.anybody_sits(of_tenant character varying, of_exam bigint, of_item bigint, paper_types jsonb, paper_code text, is_out boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select case when is_out then exists (
       select from public.ticket t join public.signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
       where t.tenant_id = of_tenant and t.exam_id = of_exam and t.item_id = of_item and t.ticket_state <> 'void' and not t.is_deleted
         and public.takes_part(s.examine, s.pay_state, s.reduction_state))
     else exists (
       select from public.signup s left join public.type_code p on p.tenant_id = s.tenant_id and p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
       where s.tenant_id = of_tenant and s.exam_id = of_exam and s.examine = 'passed' and not s.is_deleted
         and public.takes_part(s.examine, s.pay_state, s.reduction_state) and public.sits_paper(paper_types, paper_code, p.item_codes, s.code)) end $function$;

create or replace function public.keep_school_former()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if tg_op <> 'INSERT' then delete from public.school_former where tenant_id = old.tenant_id and name = any(old.former_names) and school_id = old.id; end if;
  if tg_op <> 'DELETE' then
    insert into public.school_former (tenant_id, name, school_id) select distinct new.tenant_id, name, new.id from unnest(new.former_names) name where name <> '';
  end if;
  return null;
end $function$;

-- verify: set local search_path = ''
-- verify: select 1 / (select (public.search_key('重庆·ＣＴ室') = E'重庆ct室\nzqcts cqcts')::int)
-- verify: reset search_path
