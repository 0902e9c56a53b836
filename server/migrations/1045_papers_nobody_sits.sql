-- Whether anybody who takes part sits a paper: one of posts for which nobody passed has no results and keeps nobody waiting.
create function anybody_sits(of_tenant varchar, of_exam bigint, paper_types jsonb, paper_code text) returns boolean language sql stable as
$$ select exists (
     select 1 from signup s left join type_code p on p.tenant_id = s.tenant_id and p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
     where s.tenant_id = of_tenant and s.exam_id = of_exam and s.examine = 'passed' and not s.is_deleted
       and takes_part(s.examine, s.pay_state, s.reduction_state) and sits_paper(paper_types, paper_code, p.item_codes, s.code)) $$;
grant execute on function anybody_sits(varchar, bigint, jsonb, text) to public;
