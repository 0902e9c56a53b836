-- Lists, counts and searches of sign-ups from the index alone (bench: list, deep page, search by name, short list).
-- A draft is in none of them: the row of a first save costs three index entries instead of twelve, and no list shows it.
-- lock: signup is closed to writers while its indexes are built; compatible: yes

-- A queue in its order, and how long it is.
drop index signup_queue_ix;
create index signup_queue_ix on signup (tenant_id, exam_id, examine, submit_time, id) where not is_deleted and examine <> 'draft';

-- The same for one hiring unit; counts by post come out of it too.
drop index signup_unit_ix;
create index signup_unit_ix on signup (tenant_id, exam_id, unit, examine, submit_time, id) include (code) where not is_deleted and examine <> 'draft';

-- All states in the order of submitting; part of a name is looked for in it, because no index helps with one or two characters.
drop index signup_name_ix;
create index signup_name_ix on signup (tenant_id, exam_id, submit_time, id) include (name, examine) where not is_deleted and examine <> 'draft';

-- Look-ups by id number or phone never look for the unknown ones.
drop index signup_person_ix;
create index signup_person_ix on signup (tenant_id, id_card_index) where id_card_index is not null;
drop index signup_phone_ix;
create index signup_phone_ix on signup (tenant_id, phone_index) where phone_index is not null;

-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'signup_queue_ix' and indexdef like '%draft%')
