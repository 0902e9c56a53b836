-- How fast an examination is reviewed is told to everybody who waits (domain 4.2): the decisions of the last days by their time.
-- lock: short (an index on a table that grows by decisions of people); compatible: yes
create index examine_record_pace_ix on examine_record (tenant_id, exam_id, created_at);
-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'examine_record_pace_ix')
