-- A row that comes by the database alone has no instant of a request: its hand is noted by the database's own clock.
-- lock: none
-- compatible: the release before keeps running

create or replace function public.note_account_hand(in_tenant text, in_account bigint, in_how text, in_role bigint) returns void language plpgsql as
$$ declare
  noted constant timestamptz := coalesce(nullif(current_setting('app.now', true), '')::timestamptz, clock_timestamp());
begin
  -- The program itself, the operator's commands and the owner are nobody's hand; a candidate's own role may not even try to write here.
  if coalesce(public.app_user(), 0) in (0, in_account) then return; end if;
  insert into public.account_hand (tenant_id, account_id, by_id, how, of_role, noted_at)
  values (in_tenant, in_account, public.app_user(), in_how, in_role, noted)
  on conflict (tenant_id, account_id, by_id, how, of_role) do update set noted_at = excluded.noted_at;
end $$;

-- verify: select 1 / (select count(*) from pg_proc where proname = 'note_account_hand' and prosrc like '%clock_timestamp%')
