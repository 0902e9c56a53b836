-- People, menus and departments of a large tenant are found by equality: the only comparison, beside order, that row-level security lets an index answer.
-- "like", trigrams and the operators of arrays might leak, so below a policy they read every row.
-- lock: account, menu and dept are closed to writers while the parts of what they hold are written; compatible: yes

-- Parts of one to three characters of names and codes, in lower case, of rows that are not deleted. Triggers keep them, so nothing refers to anything.
create table search_part (
  tenant_id varchar(12) not null,
  -- which text of which table: the second argument of the trigger
  field varchar(2) not null,
  part varchar(3) not null,
  row_id bigint not null
);
select secure_table('search_part', 'own', 'row_id');

-- shortest: the shortest part that is kept; codes of twenty letters would otherwise be told from each other by nothing.
create function search_parts(word text, shortest int) returns setof text language sql immutable parallel safe as
$$ select distinct substr(lower(word), at, size) from generate_series(shortest, 3) size, generate_series(1, length(word) - size + 1) at $$;

-- Arguments by threes: column, field, shortest.
create function keep_search_parts() returns trigger language plpgsql as
$$ declare
  row_was jsonb := case when tg_op <> 'INSERT' and not old.is_deleted then to_jsonb(old) end;
  row_is jsonb := case when tg_op <> 'DELETE' and not new.is_deleted then to_jsonb(new) end;
  word_was text;
  word_is text;
begin
  for n in 0 .. tg_nargs - 1 by 3 loop
    word_was := row_was ->> tg_argv[n];
    word_is := row_is ->> tg_argv[n];
    continue when word_was is not distinct from word_is;
    delete from search_part s using search_parts(word_was, tg_argv[n + 2]::int) p
      where s.tenant_id = old.tenant_id and s.field = tg_argv[n + 1] and s.part = p and s.row_id = old.id;
    insert into search_part (tenant_id, field, part, row_id)
      select new.tenant_id, tg_argv[n + 1], p, new.id from search_parts(word_is, tg_argv[n + 2]::int) p;
  end loop;
  return null;
end $$;
create trigger keep_search_parts after insert or delete or update of real_name, account, is_deleted on account
  for each row execute function keep_search_parts('real_name', 'an', '1', 'account', 'aa', '3');
-- Staff once more by themselves: they are few among the candidates, and who looks for people looks for staff as a rule. An account stays of its kind.
create function forbid_kind_change() returns trigger language plpgsql as
$$ begin raise exception 'an account never changes its kind' using errcode = '42501'; end $$;
create trigger forbid_kind_change before update of user_type on account for each row when (new.user_type <> old.user_type) execute function forbid_kind_change();
create trigger keep_staff_parts after insert or update of real_name, account, is_deleted on account
  for each row when (new.user_type = 1) execute function keep_search_parts('real_name', 'sn', '1', 'account', 'sa', '3');
create trigger drop_staff_parts after delete on account
  for each row when (old.user_type = 1) execute function keep_search_parts('real_name', 'sn', '1', 'account', 'sa', '3');
-- Menus of the program are two hundred in every tenant and are read one by one; what a tenant adds may be thousands.
create trigger keep_search_parts after insert or update of code, name, name_en, alias, is_deleted on menu
  for each row when (not new.is_system) execute function keep_search_parts('code', 'mc', '3', 'name', 'mn', '1', 'name_en', 'me', '1', 'alias', 'ma', '3');
create trigger drop_search_parts after delete on menu
  for each row when (not old.is_system) execute function keep_search_parts('code', 'mc', '3', 'name', 'mn', '1', 'name_en', 'me', '1', 'alias', 'ma', '3');
create index menu_system_ix on menu (tenant_id) where is_system and not is_deleted;
create trigger keep_search_parts after insert or delete or update of dept_name, full_name, is_deleted on dept
  for each row execute function keep_search_parts('dept_name', 'dn', '1', 'full_name', 'df', '1');

insert into search_part
  select a.tenant_id, w.field, p, a.id from account a, lateral (values ('an', a.real_name, 1), ('aa', a.account, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not a.is_deleted
  union all
  select a.tenant_id, w.field, p, a.id from account a, lateral (values ('sn', a.real_name, 1), ('sa', a.account, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not a.is_deleted and a.user_type = 1
  union all
  select m.tenant_id, w.field, p, m.id from menu m,
    lateral (values ('mc', m.code, 3), ('mn', m.name, 1), ('me', m.name_en, 1), ('ma', m.alias, 3)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not m.is_deleted and not m.is_system
  union all
  select d.tenant_id, w.field, p, d.id from dept d, lateral (values ('dn', d.dept_name, 1), ('df', d.full_name, 1)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where not d.is_deleted;

-- Built behind the rows: entry by entry it takes minutes where many people are.
alter table search_part add primary key (tenant_id, field, part, row_id);

-- People of one kind in the order of their ids, and what a page of them compares.
drop index account_name_ix;
create index account_kind_ix on account (tenant_id, user_type, id) include (status, account, real_name) where not is_deleted;

-- verify: select 1 / (select count(*) from pg_class where relname = 'search_part' and relforcerowsecurity)
