-- The list of locks finds whoever may be in it without reading every account: since locks can be planned and keep their end (0460), the index of
-- 0240 covered a part of the question only, and was not used for any of it.
-- lock: account is closed to writers while the index is built; compatible: yes

drop index account_shut_ix;
create index account_shut_ix on account (tenant_id, updated_at desc)
  where not is_deleted and (status = 4 or locked_until is not null or lock_begin is not null or unlocked_at is not null);
drop index account_lock_planned_ix;

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'account_shut_ix' and indexdef like '%unlocked_at%')
