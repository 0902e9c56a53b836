-- Which browser that the owner is known by asked for a code: what strangers ask for at a phone is not counted against it.
-- lock: login_challenge for an instant (a column without a default)
-- compatible: the release before keeps running

alter table public.login_challenge add column device_hash char(64);

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'login_challenge' and column_name = 'device_hash')
