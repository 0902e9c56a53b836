-- An end that was written as the last second of a minute (23:59:59) means that second too: windows end before their end, so it is kept as the
-- next instant, as every call that takes an end does from now on.
-- lock: short (examination, ticket_notice: rows with such an end); compatible: yes

create function whole_end(written timestamptz) returns timestamptz language sql immutable as
$$ select case when extract(second from written) >= 59 then date_trunc('minute', written) + interval '1 minute' else written end $$;

update examination set
  sign_end = whole_end(sign_end), modify_end = whole_end(modify_end), examine_end = whole_end(examine_end), appeal_end = whole_end(appeal_end),
  pay_end = whole_end(pay_end), adjust_end = whole_end(adjust_end), ticket_end = whole_end(ticket_end), ms_ticket_end = whole_end(ms_ticket_end)
where extract(second from sign_end) >= 59 or extract(second from modify_end) >= 59 or extract(second from examine_end) >= 59
  or extract(second from appeal_end) >= 59 or extract(second from pay_end) >= 59 or extract(second from adjust_end) >= 59
  or extract(second from ticket_end) >= 59 or extract(second from ms_ticket_end) >= 59;
update ticket_notice set down_end = whole_end(down_end) where extract(second from down_end) >= 59;
drop function whole_end(timestamptz);

-- verify: select 1 / (case when exists (select from examination where extract(second from sign_end) >= 59 or extract(second from pay_end) >= 59) then 0 else 1 end)
