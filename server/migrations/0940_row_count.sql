-- How many rows some large tables have in each tenant, as a sum of what came and went: an exact total then costs a few rows and not all of them.
-- Whoever adds or removes rows adds a line and changes none, so nobody waits for anybody; the sum that a transaction sees belongs to the rows that it sees.
-- lock: account and param are closed to writers while they are counted; compatible: yes

create table row_count (
  tenant_id varchar(12) not null references tenant,
  -- the table, and behind a blank the kind of its rows where it is counted by kinds
  counted varchar(60) not null,
  id bigint not null default next_id(),
  n int not null,
  primary key (tenant_id, counted, id)
);
select secure_table('row_count');
-- The sum is of all rows: who reaches some of them only counts those.
create policy whole_tenant on row_count as restrictive for select to kaopu_staff_narrow, kaopu_system_narrow using (false);

create function row_count_name(of_table text, kind_column text, row_data jsonb) returns text language sql immutable as
$$ select of_table || coalesce(' ' || (row_data ->> kind_column), '') $$;

-- Argument: the column of the kind, if there is one.
create function count_new_rows() returns trigger language plpgsql as
$$ begin
  insert into row_count (tenant_id, counted, n)
    select r.tenant_id, row_count_name(tg_table_name, tg_argv[0], to_jsonb(r)), count(*) from changed r where not r.is_deleted group by 1, 2;
  return null;
end $$;
create function count_gone_rows() returns trigger language plpgsql as
$$ begin
  insert into row_count (tenant_id, counted, n)
    select r.tenant_id, row_count_name(tg_table_name, tg_argv[0], to_jsonb(r)), -count(*) from changed r where not r.is_deleted group by 1, 2;
  return null;
end $$;
create function count_removed_row() returns trigger language plpgsql as
$$ begin
  insert into row_count (tenant_id, counted, n)
    values (new.tenant_id, row_count_name(tg_table_name, tg_argv[0], to_jsonb(new)), case when new.is_deleted then -1 else 1 end);
  return null;
end $$;

-- An account stays of its kind.
create trigger count_new_rows after insert on account referencing new table as changed for each statement execute function count_new_rows('user_type');
create trigger count_gone_rows after delete on account referencing old table as changed for each statement execute function count_gone_rows('user_type');
create trigger count_removed_row after update of is_deleted on account for each row when (new.is_deleted <> old.is_deleted)
  execute function count_removed_row('user_type');
create trigger count_new_rows after insert on param referencing new table as changed for each statement execute function count_new_rows();
create trigger count_gone_rows after delete on param referencing old table as changed for each statement execute function count_gone_rows();
create trigger count_removed_row after update of is_deleted on param for each row when (new.is_deleted <> old.is_deleted) execute function count_removed_row();

insert into row_count (tenant_id, counted, n)
  select tenant_id, 'account ' || user_type, count(*) from account where not is_deleted group by 1, 2
  union all select tenant_id, 'param', count(*) from param where not is_deleted group by 1;

-- verify: select 1 / (select (count(*) = 6)::int from pg_trigger where tgname in ('count_new_rows', 'count_gone_rows', 'count_removed_row'))
