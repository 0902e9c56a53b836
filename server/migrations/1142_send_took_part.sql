-- Who took part in a task of messages before it is approved: who made it, brought its people, or handed it in. None of them approves it.
-- lock: access exclusive on send_task for an instant (a column)
-- compatible: the release before keeps running

alter table public.send_task add column took_part bigint[] not null default '{}';

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'send_task' and column_name = 'took_part')
