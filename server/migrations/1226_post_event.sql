-- What was decided about the post of a sign-up, asked wherever a fee, a seat, a ticket or a place in the re-review comes into being.
-- lock: none
-- compatible: the release before keeps running and does not ask it

create function public.post_event(of_tenant varchar, of_exam bigint, of_signup bigint, of_code text) returns text language sql stable parallel safe as $$
  select case
    when not exists (
      select 1 from public.type_code c where c.tenant_id = of_tenant and c.exam_id = of_exam and c.code = of_code and c.post_state = 2 and not c.is_deleted) then 'none'
    when (
      select n.choice from public.reduction_name n
      where n.tenant_id = of_tenant and n.signup_id = of_signup and n.from_code = of_code and not n.is_deleted order by n.id desc limit 1) = 'kept' then 'kept'
    else 'cancelled' end $$;

-- verify: select 1 / (select count(*)::int from pg_proc where proname = 'post_event')
