-- Whether results of a paper are awaited. Before its tickets are released: where somebody takes part and sits it by their post. From then on: where somebody holds a ticket.
-- A paper for which nobody got a seat kept the whole shortlist waiting, since somebody had passed for its post and never paid.
-- lock: none; compatible: no (processes of before ask for the function of migration 1045)
drop function anybody_sits(varchar, bigint, jsonb, text);
create function anybody_sits(of_tenant varchar, of_exam bigint, of_item bigint, paper_types jsonb, paper_code text, is_out boolean) returns boolean language sql stable as
$$ select case when is_out then exists (
       select from ticket t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
       where t.tenant_id = of_tenant and t.exam_id = of_exam and t.item_id = of_item and t.ticket_state <> 'void' and not t.is_deleted
         and takes_part(s.examine, s.pay_state, s.reduction_state))
     else exists (
       select from signup s left join type_code p on p.tenant_id = s.tenant_id and p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
       where s.tenant_id = of_tenant and s.exam_id = of_exam and s.examine = 'passed' and not s.is_deleted
         and takes_part(s.examine, s.pay_state, s.reduction_state) and sits_paper(paper_types, paper_code, p.item_codes, s.code)) end $$;
grant execute on function anybody_sits(varchar, bigint, bigint, jsonb, text, boolean) to public;

-- verify: select 1 / (select (count(*) = 1)::int from pg_proc where proname = 'anybody_sits')
