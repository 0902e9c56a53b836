-- Top menus are administered: no two of a tenant share a code.
-- lock: short (top_menu has a handful of rows); compatible: yes

create unique index top_menu_code_uq on top_menu (tenant_id, code) where not is_deleted;

-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'top_menu_code_uq')
