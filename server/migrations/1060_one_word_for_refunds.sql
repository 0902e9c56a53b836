-- States of orders as they were delivered take the word that the glossary has for a refund, as every screen does; what an office worded itself stays.
-- lock: none; compatible: yes

update dict_biz set dict_value = replace(dict_value, '退款', '退费'), updated_at = app_now()
where code = 'order_state' and dict_value in ('退款中', '已退款', '部分退款');

-- verify: select 1 / (not exists (select 1 from dict_biz where code = 'order_state' and dict_value in ('退款中', '已退款', '部分退款')))::int
