-- Whether conditions that a list does not know are left out for a client, or refused: the web of this program has them refused.
-- lock: a column with a constant default, no rewrite, and one row of oauth_client
-- compatible: the release before keeps running

alter table public.oauth_client
  add column ignores_unknown_conditions int not null default 1 check (ignores_unknown_conditions in (0, 1));
update public.oauth_client set ignores_unknown_conditions = 0 where client_id = 'kaopu-web';

-- verify: select 1 / (select (count(*) = 1)::int from information_schema.columns where table_name = 'oauth_client' and column_name = 'ignores_unknown_conditions')
