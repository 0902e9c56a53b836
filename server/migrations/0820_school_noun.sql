-- Schools are kept by the office: former names as people type them, found by initials too.
-- lock: school is rewritten; compatible: no

drop index school_alias_ix;
alter table school drop column search_key;
alter table school drop column search_text;
alter table school alter column aliases drop not null, alter column aliases drop default;
alter table school alter column aliases type varchar(600) using nullif(left(replace(btrim(aliases::text, '[]"'), '", "', '；'), 600), '');
-- 1 public, 2 private, 3 joint
alter table school alter column kind type int using
  case when kind ~ '合作' then 3 when kind ~ '民办' then 2 when kind is null then null else 1 end;
alter table school add constraint school_kind_ck check (kind between 1 and 3);
alter table school add column remark varchar(255);
alter table school add column former_names text[] generated always as (regexp_split_to_array(aliases, '\s*[;；\n]\s*')) stored;
alter table school add column search_key text generated always as
  (search_key(school_name) || E'\n' || search_key(coalesce(replace(replace(aliases, '；', ' '), ';', ' '), ''))) stored;
create index school_former_ix on school using gin (former_names);

-- verify: select 1 / (select (count(*) = 2)::int from pg_indexes where tablename = 'school' and indexname in ('school_name_ix', 'school_former_ix'))
