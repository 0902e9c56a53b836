-- Processes hear which department changed, before they hear that answers are to be forgotten: they read that one anew and not all of them.
-- lock: short (a trigger of dept is replaced); compatible: yes (a process of before goes on forgetting all)

create function dept_notify() returns trigger language plpgsql as
$$ declare of_tenant varchar := coalesce(new.tenant_id, old.tenant_id);
begin
  perform pg_notify('kaopu_cache', 'dept:' || of_tenant || ' ' || coalesce(new.id, old.id));
  perform pg_notify('kaopu_cache', 'kept:' || of_tenant);
  return null;
end $$;
drop trigger kept_notify on dept;
create trigger kept_notify after insert or update or delete on dept for each row execute function dept_notify();

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'kept_notify' and tgfoid = 'dept_notify'::regproc)
