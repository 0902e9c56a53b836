-- A second lock behind the grants (security 3.8): whoever comes with more rights than the program has stops here too, and must say so by removing the trigger.
-- lock: short (triggers on audit_log and audit_seal); compatible: yes

create function refuse_change() returns trigger language plpgsql as
$$ begin raise exception 'rows of % are never changed or removed', tg_table_name using errcode = '42501'; end $$;
create trigger audit_log_lock before update or delete or truncate on audit_log for each statement execute function refuse_change();
create trigger audit_seal_lock before update or delete or truncate on audit_seal for each statement execute function refuse_change();

-- verify: select 1 / (case when count(*) = 2 then 1 else 0 end) from pg_trigger where tgname in ('audit_log_lock', 'audit_seal_lock') and tgenabled = 'O'
