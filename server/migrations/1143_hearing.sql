-- What a person answers to a proposal against them: by whom it was noted, with which files, and by what the person confirmed it. What staff noted and nobody confirmed
-- shortens no time to answer.
-- lock: access exclusive on selection_disqualification and integrity_case for an instant (columns)
-- compatible: the release before keeps running

alter table public.selection_disqualification
  add column statement_files jsonb not null default '[]',
  add column statement_by bigint, add column statement_by_name varchar(60),
  add column statement_confirmed varchar(10) check (statement_confirmed in ('own', 'code', 'paper')),
  add column statement_confirmed_name varchar(60), add column statement_confirmed_at timestamptz,
  add column statement_paper varchar(200), add column statement_tries int not null default 0;
update public.selection_disqualification set statement_confirmed = 'own', statement_confirmed_at = statement_at where statement_way = 4;

alter table public.integrity_case
  add column statement_way int check (statement_way between 1 and 4), add column statement_at timestamptz,
  add column statement_files jsonb not null default '[]',
  add column statement_by bigint, add column statement_by_name varchar(60),
  add column statement_confirmed varchar(10) check (statement_confirmed in ('own', 'code', 'paper')),
  add column statement_confirmed_name varchar(60), add column statement_confirmed_at timestamptz,
  add column statement_paper varchar(200), add column statement_tries int not null default 0;

-- verify: select 1 / (select (count(*) = 2)::int from information_schema.columns where column_name = 'statement_confirmed' and table_schema = 'public')
