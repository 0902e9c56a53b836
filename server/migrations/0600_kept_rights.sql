-- What the seed gives to administrator, security administrator or auditor only is kept apart in whatever role it lies, not only in those three (ADR 0116):
-- a copy of their rights is given and taken by whoever has them by their own role, and no role and no person joins what the seed keeps apart.
-- What was granted before stays; the auditors are told of every copy. What the three see of fields follows the same line.
-- lock: short (functions of triggers that are there, one trigger replaced); compatible: yes

-- The roles that hold a menu or button by the seed, where these are kept apart; null for ordinary rights. A test compares it with the seed.
create function kept_for(code text) returns text[] language sql immutable parallel safe as
$$ select case
  when code in ('result_withdraw', 'payaccount_edit') then '{admin}'::text[]
  when code in ('user', 'user_view', 'dept', 'dept_view', 'log_usual', 'log_usual_view', 'log_usual_export', 'log_api', 'log_api_view', 'log_api_export',
    'log_error', 'log_error_view', 'log_error_export') then '{administrator,admin,auditor}'
  when code in ('user_add', 'user_edit', 'user_delete', 'user_export', 'user_audit', 'user_role', 'user_reset', 'user_totp', 'user_lock', 'user_import',
    'dict', 'dict_view', 'dictbiz', 'dictbiz_view', 'dictbiz_add', 'dictbiz_edit', 'dictbiz_delete', 'dictbiz_export', 'dictbiz_import',
    'dept_add', 'dept_edit', 'dept_delete', 'dept_export', 'dept_import', 'dicthorizontal', 'dictvertical',
    'post', 'post_view', 'post_add', 'post_edit', 'post_delete', 'post_export', 'post_import',
    'param', 'param_view', 'param_add', 'param_edit', 'param_delete', 'param_export', 'param_import', 'menu_add', 'menu_edit', 'menu_delete', 'menu_export',
    'topmenu', 'topmenu_view', 'topmenu_add', 'topmenu_edit', 'topmenu_delete', 'topmenu_export', 'topmenu_setting', 'test',
    'authlog_purge', 'log_usual_purge', 'log_api_purge', 'log_error_purge') then '{administrator,admin}'
  when code in ('role_add', 'role_edit', 'role_delete', 'role_export', 'role_setting', 'role_back', 'datascope_add', 'datascope_edit', 'datascope_delete',
    'datascope_export', 'fieldrule_edit', 'apiscope_add', 'apiscope_edit', 'apiscope_delete', 'apiscope_export', 'online_kick') then '{administrator,admin,secadmin}'
  when code in ('auditlog', 'auditlog_view', 'auditlog_export') then '{auditor}'
  when code in ('alert', 'alert_view', 'alert_handle', 'watchrule', 'watchrule_view') then '{secadmin,auditor}'
  when code = 'watchrule_edit' then '{secadmin}'
end $$;

-- Whether somebody may give this right and take it: by their own role, or, of what the platform's administrator has too, because they hold it.
create function may_give_kept(t varchar, u bigint, code text) returns boolean language sql stable as
$$ select kept_for(code) is null
   or exists (select 1 from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
     where ar.tenant_id = t and ar.user_id = u and not r.is_deleted and r.role_alias = any (kept_for(code)))
   or ('administrator' = any (kept_for(code)) and exists (select 1 from account_role ar
     join role_menu rm on rm.tenant_id = ar.tenant_id and rm.role_id = ar.role_id
     join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
     where ar.tenant_id = t and ar.user_id = u and m.code = may_give_kept.code)) $$;

-- Whether roles hold together what no one of the four has by the seed. Each of the three counts as itself, whatever the server's command gave it.
create function is_torn(t varchar, role_ids bigint[]) returns boolean language sql stable as
$$ with duties as (
     select array[r.role_alias::text] as who from role r where r.tenant_id = t and r.id = any (role_ids) and r.role_alias in ('admin', 'secadmin', 'auditor')
     union select kept_for(m.code) from role r join role_menu rm on rm.tenant_id = r.tenant_id and rm.role_id = r.id
       join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
       where r.tenant_id = t and r.id = any (role_ids) and r.role_alias not in ('admin', 'secadmin', 'auditor') and kept_for(m.code) is not null)
   select not exists (select 1 from unnest('{administrator,admin,secadmin,auditor}'::text[]) one where not exists (select 1 from duties where not one = any (who))) $$;

-- Codes that a role holds beyond the seed and that are kept apart: a copy of somebody's rights.
create function kept_copies(t varchar, r bigint) returns text[] language sql stable as
$$ select coalesce(array_agg(m.code::text order by m.code), '{}') from role x join role_menu rm on rm.tenant_id = x.tenant_id and rm.role_id = x.id
   join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
   where x.tenant_id = t and x.id = r and x.role_alias not in ('admin', 'secadmin', 'auditor') and not x.role_alias = any (kept_for(m.code)) $$;

create or replace function watch_apart_grants() returns trigger language plpgsql as
$$ declare
  line account_role := case when tg_op = 'DELETE' then old else new end;
  named role;
  copies text[] := '{}';
  account_name text;
begin
  select r.* into named from role r where r.tenant_id = line.tenant_id and r.id = line.role_id and r.role_alias <> 'candidate';
  if not found then return null; end if;
  if named.role_alias not in ('admin', 'secadmin', 'auditor') then
    copies := kept_copies(line.tenant_id, line.role_id);
  end if;
  if current_user like 'kaopu\_staff%' then
    if line.user_id is distinct from app_user() then
      if named.role_alias in ('admin', 'secadmin', 'auditor') and not named.role_alias = any (apart_roles_of(line.tenant_id, app_user())) then
        raise exception 'the role % is kept apart from those of whoever grants or takes it', named.role_alias using errcode = '42501';
      end if;
      if exists (select 1 from unnest(copies) c where not may_give_kept(line.tenant_id, app_user(), c)) then
        raise exception 'the role % holds rights that are kept apart from whoever grants or takes it', named.role_alias using errcode = '42501';
      end if;
    end if;
    if tg_op = 'INSERT' and is_torn(line.tenant_id, array(select role_id from account_role where tenant_id = line.tenant_id and user_id = line.user_id)) then
      raise exception 'the account % would hold rights that are kept apart from each other', line.user_id using errcode = '42501';
    end if;
  end if;
  if named.role_alias not in ('admin', 'secadmin', 'auditor') and copies = '{}' then return null; end if;
  select account into account_name from account where tenant_id = line.tenant_id and id = line.user_id;
  if tg_op = 'INSERT' then
    perform tell_auditors(line.tenant_id, null, line.user_id,
      format('账号 %s 被授予角色“%s”', account_name, named.role_name) || case when copies = '{}' then '' else '，其中含有须分开的权限' end,
      format('The account %s was given the role %s', account_name, named.role_alias) || case when copies = '{}' then '' else ', which holds rights that are kept apart' end);
  else
    perform tell_auditors(line.tenant_id, case when named.role_alias = 'auditor' then line.user_id end, null,
      format('账号 %s 被收回角色“%s”', account_name, named.role_name), format('The role %s was taken from the account %s', named.role_alias, account_name));
  end if;
  return null;
end $$;

create or replace function watch_apart_menus() returns trigger language plpgsql as
$$ declare
  line record;
begin
  for line in select distinct r.tenant_id, r.role_name, r.role_alias from fresh f join role r on r.tenant_id = f.tenant_id and r.id = f.role_id
    join menu m on m.tenant_id = f.tenant_id and m.id = f.menu_id and m.created_by is null
    where r.role_alias in ('admin', 'secadmin', 'auditor') and not r.is_deleted loop
    if current_user like 'kaopu\_staff%' then
      raise exception 'the role % is kept apart: nobody changes it alone', line.role_alias using errcode = '42501';
    end if;
    perform tell_auditors(line.tenant_id, null, null, format('角色“%s”的权限被调整', line.role_name), format('What the role %s may do was changed', line.role_alias));
  end loop;
  -- Every other role, as far as rights come or go that are kept apart and that the seed does not give it.
  for line in select r.tenant_id, r.id, r.role_name, r.role_alias, array_agg(m.code::text order by m.code) as codes,
      string_agg(coalesce(p.name || ' › ', '') || m.name, '、' order by m.code) as zh, string_agg(m.code, ', ' order by m.code) as en
    from fresh f join role r on r.tenant_id = f.tenant_id and r.id = f.role_id join menu m on m.tenant_id = f.tenant_id and m.id = f.menu_id
      left join menu p on p.tenant_id = m.tenant_id and p.id = m.parent_id
    where r.role_alias not in ('admin', 'secadmin', 'auditor') and not r.is_deleted and not r.role_alias = any (kept_for(m.code))
    group by r.tenant_id, r.id, r.role_name, r.role_alias loop
    if current_user like 'kaopu\_staff%' then
      if exists (select 1 from unnest(line.codes) c where not may_give_kept(line.tenant_id, app_user(), c)) then
        raise exception 'rights are kept apart from whoever gives them to the role % or takes them', line.role_alias using errcode = '42501';
      end if;
      if tg_op = 'INSERT' and is_torn(line.tenant_id, array[line.id]) then
        raise exception 'the role % would hold rights that are kept apart from each other', line.role_alias using errcode = '42501';
      end if;
    end if;
    perform tell_auditors(line.tenant_id, null, null,
      format(case tg_op when 'INSERT' then '角色“%s”被授予须分开的权限：%s' else '角色“%s”被收回须分开的权限：%s' end, line.role_name, left(line.zh, 300)),
      format(case tg_op when 'INSERT' then 'The role %s was given rights that are kept apart: %s' else 'Rights that are kept apart were taken from the role %s: %s' end, line.role_alias, left(line.en, 400)));
  end loop;
  return null;
end $$;

-- Nobody narrows what those see who watch over them: the auditor's fields nobody in the console, the security administrator's only they, the
-- administrator's the two.
create or replace function watch_apart_fields() returns trigger language plpgsql as
$$ declare
  line record;
begin
  for line in select distinct r.tenant_id, r.role_name, r.role_alias from fresh f join role r on r.tenant_id = f.tenant_id and r.id = f.role_id
    where r.role_alias in ('admin', 'secadmin', 'auditor') and not r.is_deleted loop
    if current_user like 'kaopu\_staff%' and not apart_roles_of(line.tenant_id, app_user()) && (case line.role_alias
      when 'admin' then '{admin,secadmin}'::text[] when 'secadmin' then '{secadmin}' else '{}' end) then
      raise exception 'what the role % sees is kept apart from whoever changes it', line.role_alias using errcode = '42501';
    end if;
    perform tell_auditors(line.tenant_id, null, null, format('角色“%s”的字段权限被调整', line.role_name), format('What the role %s sees of fields was changed', line.role_alias));
  end loop;
  return null;
end $$;

-- verify: select 1 / (case when kept_for('auditlog_view') = '{auditor}' and kept_for('examination_view') is null then 1 else 0 end)
