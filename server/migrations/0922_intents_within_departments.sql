-- What candidates confirm before the end of a window is seen by those who reach the examination.
-- lock: none (a policy of a new table); compatible: yes

select narrow_with_exam('signup_intent');

-- verify: select 1 / (select count(*) from pg_policies where policyname = 'within_departments' and tablename = 'signup_intent')
