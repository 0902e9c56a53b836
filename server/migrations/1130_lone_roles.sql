-- Whoever gives rights, or watches over those who use them, does no work with them: the platform's administrator too. The program says so in words; this
-- holds where staff found a way that forgot to.
-- lock: short (a trigger on account_role)
-- compatible: the release before keeps running

create function public.refuse_second_role() returns trigger language plpgsql as
$$ declare
  held text[];
begin
  if current_user not like 'kaopu\_staff%' then return null; end if;
  select coalesce(array_agg(r.role_alias::text), '{}') into held from public.account_role ar
    join public.role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
    where ar.tenant_id = new.tenant_id and ar.user_id = new.user_id;
  if cardinality(held) > 1 and held && array['administrator', 'admin', 'secadmin', 'auditor'] then
    raise exception 'the roles % go together in no account', held using errcode = '42501';
  end if;
  return null;
end $$;
create constraint trigger second_role after insert on public.account_role deferrable initially deferred for each row
  execute function public.refuse_second_role();

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'second_role')
