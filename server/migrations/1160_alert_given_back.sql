-- An alert whose handler leaves goes back to those who may look at it, and its course says so.
-- lock: watch_alert_step for an instant; compatible: the release before keeps running, and shows the new event without a word for it.
alter table public.watch_alert_step drop constraint watch_alert_step_event_check;
alter table public.watch_alert_step add constraint watch_alert_step_event_check check (event in ('raise', 'stop', 'take', 'release', 'find', 'dismiss'));
-- verify: select 1 / (select count(*) from pg_constraint where conname = 'watch_alert_step_event_check' and pg_get_constraintdef(oid) like '%release%')
