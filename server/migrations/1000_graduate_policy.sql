-- Whom an examination treats as a fresh graduate, and what residency training stands for, is for each examination to say: provinces differ. The
-- defaults are what was counted before: two years, ended by work; residency training is looked at by a person for both.
-- lock: one table for a moment (columns with constant defaults); compatible: yes

alter table examination
  add column fresh_years smallint not null default 2 check (fresh_years between 0 and 5),
  add column fresh_ends_by smallint not null default 1 check (fresh_ends_by between 0 and 2),
  add column fresh_day date,
  add column residency_fresh boolean not null default true,
  add column residency_master boolean not null default true;

-- verify: select 1 / (select (count(*) = 5)::int from pg_attribute where attrelid = 'examination'::regclass and attname in ('fresh_years', 'fresh_ends_by', 'fresh_day', 'residency_fresh', 'residency_master'))
