-- What keeps a reviewer from sign-ups is kept for lists: every process hears of what changes it. Candidates review nothing.
-- lock: short (triggers on recuse, account); compatible: yes

create function conflicts_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_cache', 'conflicts:'); return null; end $$;
create trigger conflicts_notify after insert or update or delete on recuse for each row execute function conflicts_notify();
-- Log-ins, which count their attempts in the account, do not even ask.
create trigger conflicts_notify after update of real_name, id_card_index, phone_index, dept_id on account for each row
  when (old.user_type <> 2 and (old.real_name, old.id_card_index, old.phone_index, old.dept_id) is distinct from
    (new.real_name, new.id_card_index, new.phone_index, new.dept_id))
  execute function conflicts_notify();

-- verify: select 1 / (select (count(*) = 2)::int from pg_trigger where tgname = 'conflicts_notify')
