-- Names that schools once had, by which a sign-up's school is known: each submit asks. Below a policy no index answers for an array, so every school of the tenant was
-- read, a third of the database's work for a submit.
-- lock: school is closed to writers while its former names are written; compatible: yes
create table school_former (
  tenant_id varchar(12) not null,
  name text not null,
  school_id bigint not null,
  primary key (tenant_id, name, school_id)
);
select secure_table('school_former', 'read');

create function keep_school_former() returns trigger language plpgsql as
$$ begin
  if tg_op <> 'INSERT' then delete from school_former where tenant_id = old.tenant_id and name = any(old.former_names) and school_id = old.id; end if;
  if tg_op <> 'DELETE' then
    insert into school_former (tenant_id, name, school_id) select distinct new.tenant_id, name, new.id from unnest(new.former_names) name where name <> '';
  end if;
  return null;
end $$;
create trigger keep_school_former_new after insert on school for each row when (new.aliases is not null) execute function keep_school_former();
create trigger keep_school_former after update of aliases on school for each row
  when (new.aliases is distinct from old.aliases) execute function keep_school_former();
create trigger keep_school_former_gone after delete on school for each row when (old.aliases is not null) execute function keep_school_former();

insert into school_former (tenant_id, name, school_id)
  select distinct tenant_id, name, id from school, unnest(former_names) name where aliases is not null and name <> '';
drop index school_former_ix;

-- verify: select 1 / (select (count(*) = 3)::int from pg_trigger where tgrelid = 'school'::regclass and tgname like 'keep_school_former%')
