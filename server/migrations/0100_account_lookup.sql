-- Looking up who logs in. The unique keys leave out declined registrations, the question does not: without these it reads every account.
-- lock: account is closed to writers while its indexes are built; compatible: yes

create index account_key_ix on account (tenant_id, account_key) where not is_deleted;
create index account_phone_ix on account (tenant_id, phone_index) where not is_deleted and phone_index is not null;

-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'account_key_ix')
