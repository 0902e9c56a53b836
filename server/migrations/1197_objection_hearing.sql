-- What a person answers to an objection made against them while a list is public: as to every proposal against a person, with files and days.
-- lock: selection_objection for an instant (columns)
-- compatible: the release before keeps running; objections that it records have no days, and are decided as before

alter table public.selection_objection
  add column user_id bigint, add column answer_until timestamptz,
  add column statement varchar(1000), add column statement_way int check (statement_way between 1 and 4), add column statement_at timestamptz,
  add column statement_files jsonb not null default '[]',
  add column statement_by bigint, add column statement_by_name varchar(60),
  add column statement_confirmed varchar(10) check (statement_confirmed in ('own', 'code', 'paper')),
  add column statement_confirmed_name varchar(60), add column statement_confirmed_at timestamptz,
  add column statement_paper varchar(200), add column statement_tries int not null default 0;
update public.selection_objection o set user_id = s.user_id from public.signup s where s.tenant_id = o.tenant_id and s.id = o.signup_id;
create index selection_objection_person_ix on public.selection_objection (tenant_id, user_id);

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'selection_objection' and column_name = 'statement_confirmed')
