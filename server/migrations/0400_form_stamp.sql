-- When the forms of a tenant, or the dictionaries they choose from, last changed (ADR 0092): a process keeps a form it has read for as long as this number stands.
-- Every change renews it in its own transaction, whoever makes it. Without a row nothing has changed since the table was made.
-- lock: short (adds triggers); compatible: yes
create table form_stamp (
  tenant_id varchar(12) primary key references tenant,
  -- Never the number of an earlier state again, also not after a rollback.
  stamp bigint not null default next_id()
);
select secure_table('form_stamp');

create function renew_form_stamp() returns trigger language plpgsql as
$$ begin
  insert into form_stamp (tenant_id) select distinct tenant_id from changed order by tenant_id
    on conflict (tenant_id) do update set stamp = excluded.stamp;
  return null;
end $$;

do $$ declare
  source regclass;
begin
  foreach source in array array['sign_item', 'sign_file', 'dict_biz']::regclass[] loop
    execute format('create trigger form_stamp_added after insert on %s referencing new table as changed for each statement execute function renew_form_stamp()', source);
    execute format('create trigger form_stamp_changed after update on %s referencing new table as changed for each statement execute function renew_form_stamp()', source);
    execute format('create trigger form_stamp_removed after delete on %s referencing old table as changed for each statement execute function renew_form_stamp()', source);
  end loop;
end $$;
-- verify: select 1 / ((select count(*) from pg_trigger where tgname like 'form\_stamp\_%') - 8)
