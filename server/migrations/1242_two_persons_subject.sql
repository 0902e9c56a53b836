-- What an act of two persons was begun on, as a digest: when that has changed, what was begun is over.
-- lock: two_person_act for an instant (a column without a default)
-- compatible: the release before keeps running; what it begins has no digest and is begun once more after the update

alter table public.two_person_act add column subject_digest char(64);

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'two_person_act' and column_name = 'subject_digest')
