-- What can be claimed is found among what nobody has claimed, without all that is done.
-- lock: flow_task is closed to writers while the index is made; compatible: yes

create index flow_task_unclaimed_ix on flow_task (tenant_id, id desc) include (not_for) where state = 'open' and assignee is null;

-- verify: select 1 / (select count(*)::int from pg_class where relname = 'flow_task_unclaimed_ix')
