-- Whom a group signed up and who has confirmed nothing is a draft: it waits for nobody's review, is not counted, and holds no place.
-- lock: rows of such sign-ups and of their posts; compatible: yes (a program of before reads drafts as any other)

with meant as (
  select s.tenant_id, s.id, s.exam_id, s.code from signup s join group_signup g on g.tenant_id = s.tenant_id and g.signup_id = s.id
  where s.examine in ('waiting', 'second') and s.promise_time is null and not s.is_deleted),
places as (
  update type_code t set used_sign = greatest(0, t.used_sign - m.n) from (select tenant_id, exam_id, code, count(*)::int as n from meant group by 1, 2, 3) m
  where t.tenant_id = m.tenant_id and t.exam_id = m.exam_id and t.code = m.code and not t.is_deleted returning 1),
allots as (
  update examine_allot a set state = 3, lock_until = null from meant m where a.tenant_id = m.tenant_id and a.signup_id = m.id and a.state < 2 returning 1)
update signup s set examine = 'draft', submit_time = null, first_submit_time = null, examine_level = 1, version = version + 1
from meant m where s.tenant_id = m.tenant_id and s.id = m.id;

-- verify: select 1 / (not exists (select 1 from signup s join group_signup g on g.tenant_id = s.tenant_id and g.signup_id = s.id where s.examine in ('waiting', 'second') and s.promise_time is null and not s.is_deleted))::int
