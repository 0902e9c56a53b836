-- Wrong captchas stand in the log of log-ins but are no failed log-ins: nobody's password was tried, and many people mistype them on a first day.
-- lock: none (a function's body); compatible: yes

create or replace function watch_logins() returns trigger language plpgsql as
$$ begin
  insert into watch_pending (tenant_id, measure, user_id, happened_at)
  select tenant_id, 'failedLogins', 0, created_at from fresh
  where result not in ('ok', 'guest', 'auth/second-factor', 'refresh-replayed', 'auth/invalid-captcha');
  return null;
end $$;

-- verify: select 1 / (select count(*)::int from pg_proc where proname = 'watch_logins' and prosrc like '%invalid-captcha%')
