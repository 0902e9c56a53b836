-- How and when somebody answered to a proposal to disqualify them: without both nobody can tell that they were heard (amendment A8).
-- lock: short (two nullable columns); compatible: yes

alter table selection_disqualification add column statement_way smallint check (statement_way between 1 and 3), add column statement_at timestamptz;

-- verify: select statement_way, statement_at from selection_disqualification limit 0
