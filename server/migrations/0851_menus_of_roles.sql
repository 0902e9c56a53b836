-- Roles that hold the right to look get the menu that leads there: site managers the tickets of their site, the
-- auditor what was sent, school liaisons the schools. Two of them had a group that opened on nothing.
-- lock: short (role_menu: two rows a role); compatible: yes

insert into role_menu (tenant_id, role_id, menu_id)
select r.tenant_id, r.id, page.id
from (values ('site', 'ticket_view', 'ticket', 'tickets'), ('auditor', 'send_view', 'send', 'sending'), ('school', 'school_view', 'school', 'exam')) as w(alias, held, code, above)
join role r on r.role_alias = w.alias and not r.is_deleted
join menu button on button.tenant_id = r.tenant_id and button.code = w.held and not button.is_deleted
join role_menu has on has.tenant_id = r.tenant_id and has.role_id = r.id and has.menu_id = button.id
join menu page on page.tenant_id = r.tenant_id and page.code in (w.code, w.above) and page.category = 1 and not page.is_deleted
on conflict do nothing;

-- verify: select 1 / (case when exists (select from role r join role_menu h on h.tenant_id = r.tenant_id and h.role_id = r.id join menu b on b.tenant_id = h.tenant_id and b.id = h.menu_id and b.code = 'ticket_view' and not b.is_deleted join menu p on p.tenant_id = r.tenant_id and p.code = 'ticket' and not p.is_deleted where r.role_alias = 'site' and not r.is_deleted and not exists (select from role_menu x where x.tenant_id = r.tenant_id and x.role_id = r.id and x.menu_id = p.id)) then 0 else 1 end)
