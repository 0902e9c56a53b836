-- People of departments, for rules that go by who made a row.
-- lock: none (a function); compatible: yes

-- Accounts of these departments, with `below` also of those under them. Read through the caller's own row security.
create function people_of_departments(departments bigint[], below boolean) returns setof bigint language sql stable as
$$ select a.id from account a
   where a.tenant_id = app_tenant() and not a.is_deleted
     and a.dept_ids && (departments || case when below then coalesce((select array_agg(d.id) from dept d where d.ancestor_ids && departments and not d.is_deleted), '{}') else '{}'::bigint[] end) $$;

-- verify: select 1 / (select count(*) from pg_proc where proname = 'people_of_departments')
