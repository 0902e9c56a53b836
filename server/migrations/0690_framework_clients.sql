-- What clients of the framework send and look for: the path of a top menu, and the screens of roles, data scopes and API scopes at the framework's paths.
-- lock: short (top_menu and menu have few rows for each tenant); compatible: yes

alter table top_menu add column path varchar(255);
update menu set path = p.new, updated_at = app_now(), version = version + 1
from (values ('/system/role', '/authority/role'), ('/system/dataScope', '/authority/datascope'), ('/system/apiScope', '/authority/apiscope')) as p(old, new)
-- Those that administrators have made for these screens too.
where menu.path = p.old;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'top_menu' and column_name = 'path')
-- verify: select 1 / (1 - (select count(*)::int from menu where path in ('/system/role', '/system/dataScope', '/system/apiScope') limit 1))
