-- Vouchers and receipt numbers are told apart by one normal form; what confirms a recharge stands beside the proof that its buyer sent.
-- lock: short (send_pay: one column); compatible: the release before keeps running

-- As numberKey of the contract has it: whatever the width, the case, and the spaces and hyphens that part its groups.
create function number_key(number text) returns text language sql immutable parallel safe as
$$ select upper(regexp_replace(normalize(number, NFKC), '[\s\u2010-\u2015\u2212-]+', '', 'g')) $$;

alter table send_pay add column sure_voucher varchar(64);

-- verify: select 1 / (number_key(E'\uff56 1-２') = 'V12')::int, (select sure_voucher from send_pay limit 0)
