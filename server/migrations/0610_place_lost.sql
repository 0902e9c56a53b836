-- A place in an examination that was lost with its fee frees the seat: its ticket is void by rule, which tells it from one the office made void on
-- purpose. Whoever has the place again may be seated late; whom the office took out may not. Tickets of fees that went back before are void now.
-- lock: short (ticket: one column with a constant default, rows of people whose fee went back); compatible: yes

alter table ticket add column void_by_rule boolean not null default false;
update ticket t set ticket_state = 'void', void_by_rule = true, updated_at = app_now(), version = t.version + 1
from signup s
where s.tenant_id = t.tenant_id and s.id = t.signup_id and s.pay_state in ('refunding', 'refunded') and t.ticket_state <> 'void' and not t.is_deleted;

-- Rules that several contexts ask of a row are told once, here.

-- Whether a sign-up still takes the examination: passed, the fee not given back or on its way, the post not lost. The program says why (`lostPlace`).
create function takes_part(examine text, pay_state text, reduction_state int) returns boolean language sql immutable parallel safe as
$$ select examine = 'passed' and pay_state not in ('refunding', 'refunded') and reduction_state not in (1, 2, 4, 5) $$;
-- Which papers a sign-up sits: the paper names its posts, or the post names its papers; an empty list means all.
create function sits_paper(type_codes jsonb, item_code text, item_codes jsonb, code text) returns boolean language sql immutable parallel safe as
$$ select (type_codes = '[]'::jsonb or type_codes ? code) and (item_codes is null or item_codes = '[]'::jsonb or item_codes ? item_code) $$;
-- Whether a paper's results were published and have been taken back; the next release ends it.
create function paper_in_check(score_state text, score_release_at timestamptz) returns boolean language sql immutable parallel safe as
$$ select score_state <> 'released' and score_release_at is not null $$;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'ticket' and column_name = 'void_by_rule')
-- verify: select 1 / (case when takes_part('passed', 'paid', 0) and not takes_part('passed', 'refunding', 0) then 1 else 0 end)
