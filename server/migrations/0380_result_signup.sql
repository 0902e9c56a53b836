-- A result's sign-up is looked at once for all rows of a statement (ADR 0090). The reference did it row by row and locked every sign-up for it, which wrote each of
-- them anew: more than half of what an import cost, and a copy of all sign-ups in the write-ahead log. What the lock kept away cannot happen: a sign-up that has
-- results is never deleted and keeps its key. Also new: the sign-up must be one of the result's own examination.
-- lock: short (drops a reference, adds triggers); compatible: yes
alter table result drop constraint result_tenant_id_signup_id_fkey;

-- As many look-ups by key as rows, whatever the transaction has set for its own statements.
create function result_of_signup() returns trigger language plpgsql set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off as
$$ begin
  if exists (select from written w
    where not exists (select from signup s where s.tenant_id = w.tenant_id and s.id = w.signup_id and s.exam_id = w.exam_id)) then
    raise exception 'a result belongs to a sign-up of its examination' using errcode = '23503', constraint = 'result_signup', table = 'result';
  end if;
  return null;
end $$;
create trigger result_of_signup after insert on result referencing new table as written for each statement execute function result_of_signup();

create function result_keeps_signup() returns trigger language plpgsql as
$$ begin
  raise exception 'a result never changes whose it is' using errcode = '42501', table = 'result';
end $$;
create trigger result_keeps_signup before update of exam_id, signup_id on result for each row
  when (new.exam_id is distinct from old.exam_id or new.signup_id is distinct from old.signup_id) execute function result_keeps_signup();

create function signup_keeps_results() returns trigger language plpgsql as
$$ begin
  if exists (select from result r where r.tenant_id = old.tenant_id and r.exam_id = old.exam_id and r.signup_id = old.id) then
    raise exception 'a sign-up that has results stays' using errcode = '23503', constraint = 'result_signup', table = 'signup';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger signup_keeps_results before delete on signup for each row execute function signup_keeps_results();
create trigger signup_keeps_key before update of id, exam_id on signup for each row
  when (new.id is distinct from old.id or new.exam_id is distinct from old.exam_id) execute function signup_keeps_results();

-- Nobody who works with Kaopu deletes a sign-up; those that are given up are marked.
revoke delete on signup from kaopu_staff, kaopu_system, kaopu_candidate, kaopu_platform;
-- verify: select 1 / (select count(*) from pg_trigger where tgrelid = 'result'::regclass and tgname = 'result_of_signup')
