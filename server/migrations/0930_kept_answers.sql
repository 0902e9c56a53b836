-- Departments and top menus are answered from memory: every process hears of their changes.
-- lock: short (triggers on dept, top_menu, top_menu_menu); compatible: yes

create function kept_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_cache', 'kept:' || coalesce(new.tenant_id, old.tenant_id)); return null; end $$;
create trigger kept_notify after insert or update or delete on dept for each row execute function kept_notify();
create trigger kept_notify after insert or update or delete on top_menu for each row execute function kept_notify();
create trigger kept_notify after insert or update or delete on top_menu_menu for each row execute function kept_notify();

-- verify: select 1 / (select (count(*) = 3)::int from pg_trigger where tgname = 'kept_notify')
