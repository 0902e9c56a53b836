-- Passports are a kind of document; each examination says whether it takes them. Their number is one of the country that issued it only, and says
-- neither birth date nor sex: the account keeps the country (ISO 3166-1 alpha-3) beside those two, a sign-up what the account had.
-- lock: three tables for a moment (columns that are empty or have a constant default); compatible: yes

alter table account add column nationality varchar(3);
alter table signup add column nationality varchar(3);
alter table examination add column allow_passport boolean not null default false;

-- verify: select 1 / (select (count(*) = 3)::int from pg_attribute where attname in ('nationality', 'allow_passport') and attrelid in ('account'::regclass, 'signup'::regclass, 'examination'::regclass))
