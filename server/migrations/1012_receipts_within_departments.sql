-- Receipts of the non-tax platform are reached with their order, as everything else that hangs on an examination.
-- lock: short; compatible: yes

select narrow_with_exam('pay_receipt', '(select app_departments()) is null or app_reaches_order(order_id)');

-- verify: select 1 / (select count(*)::int from pg_policies where tablename = 'pay_receipt' and policyname = 'within_departments')
