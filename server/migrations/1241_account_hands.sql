-- Which member of staff has had a hand in which account: made it, gave it a role, or set what it is opened with. The gate of two persons asks it.
-- lock: account, account_role and second_factor for an instant (a trigger each)
-- compatible: the release before keeps running; the triggers note what it does too

create table public.account_hand (
  tenant_id varchar(12) not null references public.tenant,
  account_id bigint not null,
  by_id bigint not null,
  -- made: added, or let in; granted: gave the role `of_role`; opening: set its password or phone, or took its second factor away
  how varchar(10) not null check (how in ('made', 'granted', 'opening')),
  of_role bigint not null default 0,
  noted_at timestamptz not null,
  primary key (tenant_id, account_id, by_id, how, of_role),
  foreign key (tenant_id, account_id) references public.account (tenant_id, id) on delete cascade,
  check (account_id <> by_id),
  check ((how = 'granted') = (of_role <> 0))
);
create index account_hand_by_ix on public.account_hand (tenant_id, by_id);
select public.secure_table('public.account_hand');

-- What the trail and the rows know from before.
insert into public.account_hand (tenant_id, account_id, by_id, how, noted_at)
select tenant_id, id, created_by, 'made', created_at from public.account where user_type <> 2 and created_by <> 0 and created_by <> id
on conflict do nothing;
insert into public.account_hand (tenant_id, account_id, by_id, how, noted_at)
select l.tenant_id, a.id, l.user_id, case when l.action in ('account.password-reset', 'account.second-factor-reset') then 'opening' else 'made' end, max(l.created_at)
from public.audit_log l join public.account a on a.tenant_id = l.tenant_id and a.id::text = l.entity_id and a.user_type <> 2
where l.entity = 'account' and l.action in ('account.password-reset', 'account.second-factor-reset', 'account.audit-passed') and l.user_id <> 0 and l.user_id <> a.id
group by 1, 2, 3, 4
on conflict do nothing;
insert into public.account_hand (tenant_id, account_id, by_id, how, of_role, noted_at)
select l.tenant_id, a.id, l.user_id, 'granted', r.id, max(l.created_at)
from public.audit_log l join public.account a on a.tenant_id = l.tenant_id and a.id::text = l.entity_id and a.user_type <> 2
  cross join lateral jsonb_array_elements_text(case when jsonb_typeof(l.after_value->'roles') = 'array' then l.after_value->'roles' else '[]'::jsonb end) x(alias)
  join public.role r on r.tenant_id = l.tenant_id and r.role_alias = x.alias
where l.entity = 'account' and l.action in ('account.roles-granted', 'account.updated') and l.user_id <> 0 and l.user_id <> a.id
group by 1, 2, 3, 4, 5
on conflict do nothing;

create function public.note_account_hand(in_tenant text, in_account bigint, in_how text, in_role bigint) returns void language plpgsql as
$$ begin
  -- The program itself, the operator's commands and the owner are nobody's hand; a candidate's own role may not even try to write here.
  if coalesce(public.app_user(), 0) in (0, in_account) then return; end if;
  insert into public.account_hand (tenant_id, account_id, by_id, how, of_role, noted_at)
  values (in_tenant, in_account, public.app_user(), in_how, in_role, public.app_now())
  on conflict (tenant_id, account_id, by_id, how, of_role) do update set noted_at = excluded.noted_at;
end $$;

-- In the database, so that no path that writes an account can leave it out.
create function public.note_hand_in_account() returns trigger language plpgsql as
$$ begin
  perform public.note_account_hand(new.tenant_id, new.id, case when tg_op = 'INSERT' or old.status = 0 and new.status = 1 then 'made' else 'opening' end, 0);
  return null;
end $$;
create trigger note_hand_made after insert on public.account for each row when (new.user_type <> 2) execute function public.note_hand_in_account();
create trigger note_hand after update on public.account for each row
  when (new.user_type <> 2 and (old.status = 0 and new.status = 1
    or new.password_hash is not null and new.password_hash is distinct from old.password_hash
    or new.phone_index is not null and new.phone_index is distinct from old.phone_index))
  execute function public.note_hand_in_account();

create function public.note_hand_in_rights() returns trigger language plpgsql as
$$ begin
  if tg_op = 'DELETE' then perform public.note_account_hand(old.tenant_id, old.user_id, 'opening', 0);
  elsif not exists (select 1 from public.account a where a.tenant_id = new.tenant_id and a.id = new.user_id and a.user_type = 2) then
    perform public.note_account_hand(new.tenant_id, new.user_id, 'granted', new.role_id);
  end if;
  return null;
end $$;
create trigger note_hand after insert on public.account_role for each row execute function public.note_hand_in_rights();
create trigger note_hand after delete on public.second_factor for each row execute function public.note_hand_in_rights();

-- verify: select 1 / (select count(*) from pg_class where relname = 'account_hand' and relforcerowsecurity)
