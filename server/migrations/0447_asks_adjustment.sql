-- An examination asks about adjustment exactly where its form has the field: one fact, kept by the database, whoever writes the form.
-- lock: short (sign_item: a trigger; examination: some rows); compatible: yes

create function note_adjust_field() returns trigger language plpgsql as $$
declare
  changed sign_item := coalesce(new, old);
begin
  update examination e set allow_adjust = asked.it
  from (select exists (
    select from sign_item where tenant_id = changed.tenant_id and exam_id = changed.exam_id and item_key = 'adjust' and not is_deleted
  ) as it) as asked
  where e.tenant_id = changed.tenant_id and e.id = changed.exam_id and e.allow_adjust <> asked.it;
  return null;
end
$$;
create trigger sign_item_adjust_added after insert on sign_item for each row when (new.item_key = 'adjust') execute function note_adjust_field();
create trigger sign_item_adjust_changed after update on sign_item for each row when (old.item_key = 'adjust' or new.item_key = 'adjust')
  execute function note_adjust_field();
create trigger sign_item_adjust_removed after delete on sign_item for each row when (old.item_key = 'adjust') execute function note_adjust_field();

update examination e set allow_adjust = not allow_adjust
where allow_adjust <> exists (
  select from sign_item where tenant_id = e.tenant_id and exam_id = e.id and item_key = 'adjust' and not is_deleted
);

-- verify: select 1 / (select count(*)::int from pg_trigger where tgname = 'sign_item_adjust_added')
