-- Parts of the names of sign-ups in the order of the queue: a search by part of a name reads as many lines as it shows and counts, and not every name.
-- lock: signup is closed to writers while the parts are written (half a minute for a million rows); compatible: yes

-- Every one and two characters that follow each other in a name, once. Drafts and removed sign-ups have none.
create function name_parts(name text) returns setof text language sql immutable parallel safe as
$$ select distinct substr(lower(name), at, size) from generate_series(1, 2) size, generate_series(1, length(name) - size + 1) at $$;

-- Triggers write the lines, so nothing refers to anything.
create table signup_name_part (
  tenant_id varchar(12) not null,
  exam_id bigint not null,
  part varchar(2) collate "C" not null,
  -- decided: it waits no more and comes last
  is_over boolean not null,
  -- infinity: never submitted
  submit_time timestamptz not null,
  signup_id bigint not null
);

-- Parts are given as an array, so that each is found by the key whatever is known of the table.
create function keep_signup_name_parts() returns trigger language plpgsql as
$$ declare
  was boolean := tg_op <> 'INSERT' and old.examine <> 'draft' and not old.is_deleted;
  counts boolean := tg_op <> 'DELETE' and new.examine <> 'draft' and not new.is_deleted;
begin
  if was and counts and old.name is not distinct from new.name and old.exam_id = new.exam_id then
    update signup_name_part p set is_over = new.examine not in ('waiting', 'second'), submit_time = coalesce(new.submit_time, 'infinity')
      where p.tenant_id = old.tenant_id and p.exam_id = old.exam_id and p.part = any(array(select name_parts(old.name)))
        and p.is_over = (old.examine not in ('waiting', 'second')) and p.submit_time = coalesce(old.submit_time, 'infinity') and p.signup_id = old.id;
    return null;
  end if;
  if was then
    delete from signup_name_part p
      where p.tenant_id = old.tenant_id and p.exam_id = old.exam_id and p.part = any(array(select name_parts(old.name)))
        and p.is_over = (old.examine not in ('waiting', 'second')) and p.submit_time = coalesce(old.submit_time, 'infinity') and p.signup_id = old.id;
  end if;
  if counts then
    insert into signup_name_part (tenant_id, exam_id, part, is_over, submit_time, signup_id)
      select new.tenant_id, new.exam_id, n, new.examine not in ('waiting', 'second'), coalesce(new.submit_time, 'infinity'), new.id from name_parts(new.name) n;
  end if;
  return null;
end $$;
create trigger keep_name_parts_new after insert on signup for each row when (new.examine <> 'draft' and not new.is_deleted) execute function keep_signup_name_parts();
create trigger keep_name_parts after update on signup for each row
  when ((old.examine <> 'draft' or new.examine <> 'draft') and (old.name, old.exam_id, old.examine = 'draft', old.examine in ('waiting', 'second'), old.is_deleted, old.submit_time) is distinct from
    (new.name, new.exam_id, new.examine = 'draft', new.examine in ('waiting', 'second'), new.is_deleted, new.submit_time))
  execute function keep_signup_name_parts();
create trigger keep_name_parts_gone after delete on signup for each row when (old.examine <> 'draft' and not old.is_deleted) execute function keep_signup_name_parts();

create function fill_signup_name_parts() returns void language sql as
$$
  delete from signup_name_part;
  insert into signup_name_part
    select s.tenant_id, s.exam_id, n, s.examine not in ('waiting', 'second'), coalesce(s.submit_time, 'infinity'), s.id
    from signup s, name_parts(s.name) n where s.examine <> 'draft' and not s.is_deleted;
$$;
revoke execute on function fill_signup_name_parts() from public;
select fill_signup_name_parts();
-- Built behind the lines: one by one it takes minutes where many have signed up.
alter table signup_name_part add primary key (tenant_id, exam_id, part, is_over, submit_time, signup_id);
select secure_table('signup_name_part');
select narrow_with_exam('signup_name_part');

-- verify: select 1 / (select (count(*) = 3)::int from pg_trigger where tgname in ('keep_name_parts_new', 'keep_name_parts', 'keep_name_parts_gone'))
-- verify: select 1 / (select count(*) from pg_policies where tablename = 'signup_name_part' and policyname = 'within_departments')
