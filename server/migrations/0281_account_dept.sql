-- Who belongs to a department or to one below it, and who holds a role, told by an index alone.
-- lock: account and dept are closed to writers while the table is filled; compatible: yes

-- A person stands here for each department and for every one above it, as long as the account is not removed.
create table account_dept (
  tenant_id varchar(12) not null references tenant,
  dept_id bigint not null,
  user_id bigint not null,
  -- of the account; it never changes
  user_type int not null,
  primary key (tenant_id, dept_id, user_id) include (user_type),
  foreign key (tenant_id, user_id) references account (tenant_id, id) on delete cascade,
  foreign key (tenant_id, dept_id) references dept (tenant_id, id)
);
create index account_dept_user_ix on account_dept (tenant_id, user_id);
select secure_table('account_dept');

create function place_people(of_tenant text, people bigint[]) returns void language plpgsql as
$$ begin
  -- A department that is being moved is waited for: its chain is read behind the move, and the move finds who came before it.
  perform 1 from dept d where d.tenant_id = of_tenant and d.id in (select unnest(a.dept_ids) from account a where a.tenant_id = of_tenant and a.id = any(people))
    order by d.id for share;
  delete from account_dept where tenant_id = of_tenant and user_id = any(people);
  insert into account_dept (tenant_id, dept_id, user_id, user_type)
    select distinct a.tenant_id, above, a.id, a.user_type from account a, unnest(a.dept_ids) own join dept d on d.id = own, unnest(d.ancestor_ids || d.id) above
    where a.tenant_id = of_tenant and d.tenant_id = of_tenant and a.id = any(people) and not a.is_deleted;
end $$;
create function place_account() returns trigger language plpgsql as
$$ begin
  perform place_people(new.tenant_id, array[new.id]);
  return null;
end $$;
create trigger place_new_account after insert on account for each row when (new.dept_id is not null) execute function place_account();
create trigger place_account after update of dept_id, is_deleted on account for each row
  when (new.dept_id is distinct from old.dept_id or new.is_deleted <> old.is_deleted) execute function place_account();
create function place_moved_department() returns trigger language plpgsql as
$$ begin
  perform place_people(new.tenant_id, (select array_agg(a.id) from account_dept k join account a on a.tenant_id = k.tenant_id and a.id = k.user_id and new.id = any(a.dept_ids)
    where k.tenant_id = new.tenant_id and k.dept_id = new.id));
  return null;
end $$;
create trigger place_moved_department after update of ancestor_ids on dept for each row
  when (new.ancestor_ids <> old.ancestor_ids) execute function place_moved_department();

insert into account_dept
  select distinct a.tenant_id, above, a.id, a.user_type from account a, unnest(a.dept_ids) own join dept d on d.id = own, unnest(d.ancestor_ids || d.id) above
  where not a.is_deleted and d.tenant_id = a.tenant_id;
-- No policy has ever let it be used.
drop index account_dept_ix;

-- The same answer as in 0172, from the table.
create or replace function people_of_departments(departments bigint[], below boolean) returns setof bigint language sql stable as
$$ select distinct k.user_id from account_dept k
   where k.tenant_id = app_tenant() and k.dept_id = any(departments)
     and (below or exists (select 1 from account a where a.tenant_id = k.tenant_id and a.id = k.user_id and a.dept_ids && departments)) $$;

-- Whoever is removed holds nothing: the people of a role are counted without looking at each of them.
delete from account_role ar using account a where a.tenant_id = ar.tenant_id and a.id = ar.user_id and a.is_deleted;
create function drop_roles_of_removed() returns trigger language plpgsql as
$$ begin
  delete from account_role where tenant_id = new.tenant_id and user_id = new.id;
  return null;
end $$;
create trigger drop_roles_of_removed after update of is_deleted on account for each row when (new.is_deleted and not old.is_deleted) execute function drop_roles_of_removed();

-- Leaders are few among everybody.
create index account_leader_ix on account (tenant_id, id) where is_leader and not is_deleted;

-- verify: select 1 / (select count(*) from pg_class where relname = 'account_dept' and relforcerowsecurity)
