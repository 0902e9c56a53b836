-- Lists and trees of a large tenant: the children of a menu, the people of a role, accounts that are shut, and names searched without reading whole accounts.
-- lock: account, account_role and menu are closed to writers while their indexes are built; compatible: yes

create index menu_parent_ix on menu (tenant_id, parent_id) where not is_deleted;
create index account_role_role_ix on account_role (tenant_id, role_id, user_id);
create index account_shut_ix on account (tenant_id, updated_at desc) where not is_deleted and (status = 4 or locked_until is not null);
create index account_name_ix on account (tenant_id, id desc) include (account, real_name, user_type, status) where not is_deleted;

-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'account_name_ix')
