-- Text messages of calls go out in portions: which calls had theirs is kept, so that none goes twice and none is left out.
-- lock: selection_call while its rows are marked; compatible: yes

alter table selection_call add column told_at timestamptz;
update selection_call set told_at = created_at;
create index selection_call_untold_ix on selection_call (tenant_id, exam_id, id) where told_at is null;

-- verify: select 1 / (select count(*) from pg_attribute where attrelid = 'selection_call'::regclass and attname = 'told_at')
