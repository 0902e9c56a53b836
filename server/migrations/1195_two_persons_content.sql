-- What the first person entered, where the second one agrees to it without typing it again: sealed, and gone when the act ends.
-- lock: two_person_act for an instant (a column without a default)
-- compatible: the release before keeps running

alter table public.two_person_act add column content_sealed bytea;
alter table public.two_person_act add constraint two_person_act_content_ck check (content_sealed is null or state in ('begun', 'agreed'));

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'two_person_act' and column_name = 'content_sealed')
