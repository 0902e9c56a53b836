-- What was paid today stands on the first page of finance: dues are read by when they were paid.
-- lock: exam_pay is closed to writers while the index is built; compatible: yes

create index exam_pay_paid_ix on exam_pay (tenant_id, paid_time) where paid_time is not null;

-- verify: select 1 / (select count(*) from pg_class where relname = 'exam_pay_paid_ix')
