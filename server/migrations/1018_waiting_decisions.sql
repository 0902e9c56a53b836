-- What waits for a second person's decision: proposals to disqualify or to restore, and posts that a rule would reduce or cancel.
-- lock: short (two views); compatible: yes

create view selection_proposal with (security_invoker = true) as
select d.tenant_id, d.id, d.exam_id, d.signup_id, d.created_by, d.created_at from selection_disqualification d where d.state = 'proposed'
union all
select r.tenant_id, r.id, r.exam_id, r.signup_id, r.created_by, r.created_at from selection_restoration r where r.state = 'proposed';
grant select on selection_proposal to kaopu_staff, kaopu_system;

-- Posts of which a decision is written down and not published; and those below the ratio of a released examination whose payments and review are over,
-- as long as no paper has begun and nobody has decided.
create view post_to_decide with (security_invoker = true) as
select r.tenant_id, r.id, r.exam_id, r.created_at as since
from post_reduction r join examination e on e.tenant_id = r.tenant_id and e.id = r.exam_id
where r.state = 'draft' and not r.is_deleted and e.state = 'released' and not e.is_deleted
union all
select e.tenant_id, p.id, e.id, f.since
from examination e
cross join lateral (select greatest(e.examine_end, case when e.fee_mode <> 0 then e.pay_end end) as since) f
cross join lateral (
  select c.id from type_code c
  left join (
    select s.code, count(*) as valid from signup s
    where s.tenant_id = e.tenant_id and s.exam_id = e.id and s.examine = 'passed' and not s.is_deleted
      and takes_part(s.examine, s.pay_state, s.reduction_state) and (e.ratio_basis = 1 or s.pay_state in ('none', 'paid'))
    group by s.code) v on v.code = c.code
  where c.tenant_id = e.tenant_id and c.exam_id = e.id and not c.is_deleted and c.post_state <> 2
    and coalesce(v.valid, 0) < c.cur_num * coalesce(c.open_ratio, e.open_ratio)
    and not exists (select 1 from post_reduction r where r.tenant_id = e.tenant_id and r.exam_id = e.id and r.code = c.code and not r.is_deleted)) p
where e.state = 'released' and not e.is_deleted and f.since <= app_now()
  and not exists (select 1 from exam_item i where i.tenant_id = e.tenant_id and i.exam_id = e.id and not i.is_deleted and i.start_time <= app_now());
grant select on post_to_decide to kaopu_staff, kaopu_system;

-- verify: select 1 / (select (count(*) = 2)::int from pg_views where viewname in ('selection_proposal', 'post_to_decide'))
