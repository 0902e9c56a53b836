-- Sign-ups that are looked at again, or on their way to be hired, are few: overviews and lists of examinations find them without reading all others.
-- lock: short (indexes of few rows; signup is read twice); compatible: yes

create index signup_rereview_ix on signup (tenant_id, exam_id) where review_state = 1 and not is_deleted;
create index signup_stage_ix on signup (tenant_id, exam_id, stage) where stage between 3 and 7 and not is_deleted;

-- verify: select 1 / (select count(*) / 2 from pg_indexes where indexname in ('signup_rereview_ix', 'signup_stage_ix'))
