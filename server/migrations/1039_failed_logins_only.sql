-- A log-in that succeeds is nothing to watch: only the others are handed to who counts them.
-- lock: short (a trigger of login_log); compatible: yes

drop trigger watch_logins on login_log;
create or replace function watch_logins() returns trigger language plpgsql as
$$ begin
  insert into watch_pending (tenant_id, measure, user_id, happened_at) values (new.tenant_id, 'failedLogins', 0, new.created_at);
  return null;
end $$;
create trigger watch_logins after insert on login_log for each row
  when (new.result not in ('ok', 'guest', 'auth/second-factor', 'refresh-replayed', 'auth/invalid-captcha')) execute function watch_logins();

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'watch_logins' and tgtype & 1 = 1)
