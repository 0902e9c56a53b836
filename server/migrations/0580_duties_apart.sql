-- Whoever holds one of admin, secadmin and auditor neither makes, changes nor removes those who hold another of them (domain 2.1, ADR 0109). The program
-- says so in words; these triggers hold where it forgot to, and tell the auditors of every such change, by whatever way it came.
-- lock: short (triggers on account, account_role and role_menu); compatible: yes

-- The apart roles that somebody holds.
create function apart_roles_of(t varchar, u bigint) returns text[] language sql stable as
$$ select coalesce(array_agg(r.role_alias::text), '{}') from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
   where ar.tenant_id = t and ar.user_id = u and not r.is_deleted and r.role_alias in ('admin', 'secadmin', 'auditor') $$;

create function tell_auditors(t varchar, also bigint, but bigint, zh text, en text) returns void language plpgsql as
$$ declare
  who text := coalesce((select account from account where tenant_id = t and id = app_user()), '');
begin
  insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, link, need_sure, event_key)
  select t, u, null, 7, '管理员、安全管理员或审计监督有变更', 'A change of administrators, security administrators or auditors',
    left(zh || case when who = '' then '（由系统或服务器命令执行）' else '（操作人 ' || who || '）' end, 500),
    left(en || case when who = '' then ' (by the program, or a command of the server)' else ' (by ' || who || ')' end, 800),
    '/monitor/audit', false, 'apart-' || next_id()
  from (
    select ar.user_id as u from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
    where ar.tenant_id = t and r.role_alias = 'auditor' and not r.is_deleted
    union select also where also is not null) a
  where u is distinct from but;
end $$;

create function watch_apart_grants() returns trigger language plpgsql as
$$ declare
  line account_role := case when tg_op = 'DELETE' then old else new end;
  named role;
  account_name text;
begin
  select r.* into named from role r where r.tenant_id = line.tenant_id and r.id = line.role_id and r.role_alias in ('admin', 'secadmin', 'auditor');
  if not found then return null; end if;
  if current_user like 'kaopu\_staff%' and not named.role_alias = any (apart_roles_of(line.tenant_id, app_user())) and line.user_id is distinct from app_user() then
    raise exception 'the role % is kept apart from those of whoever grants or takes it', named.role_alias using errcode = '42501';
  end if;
  select account into account_name from account where tenant_id = line.tenant_id and id = line.user_id;
  if tg_op = 'INSERT' then
    perform tell_auditors(line.tenant_id, null, line.user_id, format('账号 %s 被授予角色“%s”', account_name, named.role_name), format('The account %s was given the role %s', account_name, named.role_alias));
  else
    perform tell_auditors(line.tenant_id, case when named.role_alias = 'auditor' then line.user_id end, null,
      format('账号 %s 被收回角色“%s”', account_name, named.role_name), format('The role %s was taken from the account %s', named.role_alias, account_name));
  end if;
  return null;
end $$;
create trigger watch_apart_grants after insert or delete on account_role for each row execute function watch_apart_grants();

create function watch_apart_accounts() returns trigger language plpgsql as
$$ declare
  held text[] := apart_roles_of(new.tenant_id, new.id);
begin
  if held = '{}' then return null; end if;
  if current_user like 'kaopu\_staff%' and new.id is distinct from app_user() and not held <@ apart_roles_of(new.tenant_id, app_user()) then
    raise exception 'the account % is kept apart from whoever changes it', new.id using errcode = '42501';
  end if;
  perform tell_auditors(new.tenant_id, null, null,
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
end $$;
-- Named to come before drop_roles_of_removed.
create trigger apart_accounts after update of status, is_deleted, password_hash, lock_begin on account for each row
  when (old.status is distinct from new.status or old.is_deleted is distinct from new.is_deleted or old.lock_begin is distinct from new.lock_begin
    or (new.must_change_password and old.password_hash is distinct from new.password_hash))
  execute function watch_apart_accounts();

-- What one of these roles may do of the program's own menus: told once a statement.
create function watch_apart_menus() returns trigger language plpgsql as
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
  return null;
end $$;
create trigger watch_apart_menus_added after insert on role_menu referencing new table as fresh for each statement execute function watch_apart_menus();
create trigger watch_apart_menus_taken after delete on role_menu referencing old table as fresh for each statement execute function watch_apart_menus();

-- What one of these roles sees of fields is the security administrator's to decide; the auditors read of it.
create function watch_apart_fields() returns trigger language plpgsql as
$$ declare
  line record;
begin
  for line in select distinct r.tenant_id, r.role_name, r.role_alias from fresh f join role r on r.tenant_id = f.tenant_id and r.id = f.role_id
    where r.role_alias in ('admin', 'secadmin', 'auditor') and not r.is_deleted loop
    perform tell_auditors(line.tenant_id, null, null, format('角色“%s”的字段权限被调整', line.role_name), format('What the role %s sees of fields was changed', line.role_alias));
  end loop;
  return null;
end $$;
create trigger watch_apart_fields_added after insert on role_field_rule referencing new table as fresh for each statement execute function watch_apart_fields();
create trigger watch_apart_fields_taken after delete on role_field_rule referencing old table as fresh for each statement execute function watch_apart_fields();

-- verify: select 1 / (select (count(*) = 6)::int from pg_trigger where tgname like 'watch\_apart\_%' or tgname = 'apart_accounts')
