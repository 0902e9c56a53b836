-- The lines that stood when the results of a paper were imported: whoever releases them is told of a line that was moved since, with the scores known.
-- What was imported before takes the lines of now.
-- lock: short (exam_item: one column without a default, rows whose results are imported and not released); compatible: yes

alter table exam_item add column score_lines jsonb;
update exam_item i set score_lines = jsonb_build_object('exam', case when i.item_type = 1 then e.pass_score else e.interview_pass end, 'paper', i.pass_score)
from examination e where e.tenant_id = i.tenant_id and e.id = i.exam_id and i.score_state = 'imported';

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'exam_item' and column_name = 'score_lines')
