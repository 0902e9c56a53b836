-- The permanent residence card of foreigners (GA 2102-2023) is a kind of document; each examination says whether it takes it.
-- lock: examination for a moment (a column with a constant default); compatible: yes

alter table examination add column allow_foreign_card boolean not null default false;

-- verify: select 1 / (select count(*)::int from pg_attribute where attrelid = 'examination'::regclass and attname = 'allow_foreign_card')
