-- A fee of the examination that somebody has deleted is not paid: who owed it is told apart from who owes nothing.
-- lock: short (exam_pay: one column); compatible: the release before keeps running

-- Who has deleted it by hand; null where a rule has voided it
alter table exam_pay add column voided_by bigint;

-- verify: select voided_by from exam_pay limit 0
