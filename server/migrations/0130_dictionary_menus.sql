-- The dictionaries have screens: whoever administers a tenant sees their menus, which nobody held before.
-- lock: none (few rows); compatible: yes

insert into role_menu (tenant_id, role_id, menu_id)
select m.tenant_id, r.id, m.id from menu m join role r on r.tenant_id = m.tenant_id and r.role_alias in ('administrator', 'admin') and not r.is_deleted
where m.code in ('dict', 'dictbiz') and not m.is_deleted
on conflict do nothing;

-- verify: select 1
