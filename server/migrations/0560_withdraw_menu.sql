-- Whoever may take a release of results back gets the menu and the page where that is done: the seed gave the administrator of a tenant the
-- button alone.
-- lock: short (role_menu: two rows a role); compatible: yes

insert into role_menu (tenant_id, role_id, menu_id)
select held.tenant_id, held.role_id, page.id
from role_menu held
join menu button on button.tenant_id = held.tenant_id and button.id = held.menu_id and button.code = 'result_withdraw' and not button.is_deleted
join menu page on page.tenant_id = held.tenant_id and page.code in ('results', 'result') and not page.is_deleted
on conflict do nothing;

-- verify: select 1 / (case when exists (select from role_menu h join menu b on b.tenant_id = h.tenant_id and b.id = h.menu_id and b.code = 'result_withdraw' and not b.is_deleted join menu p on p.tenant_id = h.tenant_id and p.code in ('results', 'result') and not p.is_deleted where not exists (select from role_menu x where x.tenant_id = h.tenant_id and x.role_id = h.role_id and x.menu_id = p.id)) then 0 else 1 end)
