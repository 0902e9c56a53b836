-- Clauses of violations as they were delivered lose the numbers of their articles, which nobody compared with the text in force; what an office
-- worded itself stays.
-- lock: none; compatible: yes

update dict_biz set dict_value = regexp_replace(dict_value, '（第[六七八]条[一二三四五六]）$', ''), updated_at = app_now()
where code = 'violation_clause' and dict_value ~ '（第[六七八]条[一二三四五六]）$';

-- verify: select 1 / (not exists (select 1 from dict_biz where code = 'violation_clause' and dict_value ~ '（第[六七八]条[一二三四五六]）$'))::int
