-- A lock by a person can begin and end at a time; who was let in again keeps why (framework-contract 2.7).
-- lock: columns without a default, no rewrite; compatible: yes

alter table account add column lock_begin timestamptz;
alter table account add column lock_end timestamptz;
alter table account add column unlock_reason varchar(200);
alter table account add column unlocked_at timestamptz;
alter table account add constraint account_lock_span check (lock_end is null or lock_begin is null or lock_end > lock_begin);

create index account_lock_planned_ix on account (tenant_id, lock_begin) where lock_begin is not null and not is_deleted;

-- verify: select 1 / (select (count(*) = 4)::int from information_schema.columns where table_name = 'account' and column_name in ('lock_begin', 'lock_end', 'unlock_reason', 'unlocked_at'))
