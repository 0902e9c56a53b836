-- A list of all states with the longest waiting first: what is decided waits no more and comes last, whenever it was sent.
-- lock: short (an index); compatible: yes

create index signup_wait_ix on signup (tenant_id, exam_id, (examine not in ('waiting', 'second')), submit_time, id) where not is_deleted and examine <> 'draft';

-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'signup_wait_ix')
