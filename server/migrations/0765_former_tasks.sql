-- Work by the clock that the queue once did is done by scheduled jobs: orders of tasks that nobody handles any more would stay in the queue for ever.
-- lock: none; compatible: yes

delete from outbox where task in ('pay.sweep', 'pay.read-bill', 'auth.purge', 'log.purge', 'person.close-accounts');
-- A new database has no queue yet.
do $$ begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    execute $q$ delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier in ('pay.sweep', 'pay.read-bill', 'auth.purge', 'log.purge', 'person.close-accounts') $q$;
  end if;
end $$;

-- verify: select 1 / (select (count(*) = 0)::int from outbox where task in ('pay.sweep', 'pay.read-bill', 'auth.purge', 'log.purge', 'person.close-accounts'))
