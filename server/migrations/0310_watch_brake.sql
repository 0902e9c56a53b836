-- Alerts: exports stop for somebody far over a limit; rules of a tenant's own; days that do not follow the week.
-- lock: short; compatible: yes

alter table watch_rule
  add brake int check (brake between 1 and 1000),
  add is_own boolean not null default false,
  add is_deleted boolean not null default false,
  add check (brake is null or (subject = 'person' and measure in ('exports', 'exportedRows')));
-- As tenants that are made from now on begin; whoever has set a rule otherwise keeps the rule and switches the brake on themselves.
update watch_rule set brake = case code when 'exports-hour' then 5 when 'exports-day' then 10 else 500 end
where code in ('exports-hour', 'exports-day', 'rows-day') and version = 0;

alter table watch_alert
  -- the rule as it stood
  add brake int,
  -- since when the person exports nothing
  add stopped_at timestamptz;
create index watch_alert_stopped_ix on watch_alert (tenant_id, user_id) where stopped_at is not null;
alter table watch_alert_step drop constraint watch_alert_step_event_check;
alter table watch_alert_step add constraint watch_alert_step_event_check check (event in ('raise', 'stop', 'take', 'find', 'dismiss'));

-- Days of the calendar: off in the week (holidays), worked at the weekend (in exchange for one).
alter table watch_office
  add days_off jsonb not null default '[]',
  add work_days jsonb not null default '[]';

-- Until the window of the alert ends, or somebody says that it was a false alarm.
create function exports_stopped(who bigint) returns boolean language sql stable as
$$ select exists (select 1 from watch_alert where user_id = who and subject = 'person' and stopped_at is not null and state <> 'falseAlarm' and window_end > app_now()) $$;
-- Nothing leaves without its line in the trail, so the trail itself is where it stops: no export can forget to ask.
create function stop_exports() returns trigger language plpgsql as
$$ begin
  if exports_stopped(new.user_id) then raise exception 'exports are stopped' using errcode = 'KP801'; end if;
  return new;
end $$;
create trigger stop_exports before insert on audit_log for each row
  when (new.user_id <> 0 and new.actor_kind <> 'candidate' and (new.action like '%.exported' or new.action in ('ticket.printed', 'export.downloaded')))
  execute function stop_exports();

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'stop_exports')
