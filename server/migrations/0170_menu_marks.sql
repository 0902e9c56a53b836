-- Which menus are part of the program and which belong to the platform's own administration; changes of rights reach open sessions.
-- lock: short (menu: two columns with a constant); compatible: yes

-- Codes that routes ask for live in these rows: they keep their code, and nobody can remove one and make another under its name.
alter table menu add column is_system boolean not null default false;
-- Held by the role administrator only; no tenant's administrator can grant it.
alter table menu add column is_platform boolean not null default false;

-- Told to every process: what this tenant's sessions may do has changed. Equal notices of one transaction are one.
create function rights_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_session', 'tenant:' || coalesce(new.tenant_id, old.tenant_id)); return null; end $$;
create trigger rights_notify after insert or update or delete on role for each row execute function rights_notify();
create trigger rights_notify after insert or update or delete on role_menu for each row execute function rights_notify();
create trigger rights_notify after insert or update or delete on menu for each row execute function rights_notify();

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'menu' and column_name = 'is_platform')
