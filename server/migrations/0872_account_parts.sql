-- Parts of names of accounts that come by thousands are written by one statement for all of them: row by row they take most of an import of people.
-- lock: account for a moment; compatible: yes (what is kept stays the same)

create function keep_parts_of_accounts() returns trigger language plpgsql as
$$ begin
  insert into search_part (tenant_id, field, part, row_id)
    select a.tenant_id, w.field, p, a.id
    from added a, lateral (values ('an', a.real_name, 1), ('aa', a.account, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
    where not a.is_deleted;
  return null;
end $$;

drop trigger keep_search_parts on account;
create trigger keep_search_parts after delete or update of real_name, account, is_deleted on account
  for each row execute function keep_search_parts('real_name', 'an', '1', 'account', 'aa', '3');
create trigger keep_new_parts after insert on account referencing new table as added for each statement execute function keep_parts_of_accounts();

-- verify: select 1 / (select count(*) from pg_trigger where tgname = 'keep_new_parts')
