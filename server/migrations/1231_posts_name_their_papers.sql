-- Which posts sit a paper is said by the posts alone: what papers said besides moves to them. Before, a post and a paper could say two things, of
-- which people sat what both allowed and paid what the paper said. An examination of which a post would be left without any paper keeps what its
-- papers say, since a post without a list sits all; a draft does not, its office sees the posts before it releases them.
-- lock: rows of the examinations whose papers name posts (type_code, exam_item)
-- compatible: the release before keeps running and reads the same from the posts

with named as (
  select i.tenant_id, i.exam_id from public.exam_item i where i.type_codes <> '[]'::jsonb and not i.is_deleted group by i.tenant_id, i.exam_id),
sat as (
  select p.id, p.tenant_id, p.exam_id, e.state,
    coalesce(jsonb_agg(i.item_code order by i.item_code) filter (where public.sits_paper(i.type_codes, i.item_code, p.item_codes, p.code)), '[]'::jsonb) as papers
  from named n
  join public.examination e on e.tenant_id = n.tenant_id and e.id = n.exam_id
  join public.type_code p on p.tenant_id = n.tenant_id and p.exam_id = n.exam_id and not p.is_deleted
  join public.exam_item i on i.tenant_id = n.tenant_id and i.exam_id = n.exam_id and not i.is_deleted
  group by p.id, p.tenant_id, p.exam_id, e.state),
whole as (
  select n.tenant_id, n.exam_id from named n
  where not exists (select 1 from sat s where s.tenant_id = n.tenant_id and s.exam_id = n.exam_id and s.papers = '[]'::jsonb and s.state <> 'draft')),
posts as (
  update public.type_code p set item_codes = s.papers from sat s join whole w on w.tenant_id = s.tenant_id and w.exam_id = s.exam_id
  where p.tenant_id = s.tenant_id and p.id = s.id and coalesce(p.item_codes, '[]'::jsonb) <> s.papers returning 1)
update public.exam_item i set type_codes = '[]'::jsonb from whole w where i.tenant_id = w.tenant_id and i.exam_id = w.exam_id and i.type_codes <> '[]'::jsonb;

-- verify: select 1 / (case when not exists (select 1 from public.exam_item i join public.examination e on e.tenant_id = i.tenant_id and e.id = i.exam_id where e.state = 'draft' and i.type_codes <> '[]'::jsonb and not i.is_deleted) then 1 else 0 end)
