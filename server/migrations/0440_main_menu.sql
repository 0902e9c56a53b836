-- One tab of the top bar may be the main one: what the home item shows.
-- lock: short (top_menu has a handful of rows); compatible: yes

alter table top_menu add column is_main boolean not null default false;
create unique index top_menu_main_uq on top_menu (tenant_id) where is_main and not is_deleted;

-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'top_menu_main_uq')
