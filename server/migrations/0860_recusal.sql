-- A recusal that was entered by mistake is taken back and stays on record; the same one is there once. Relatives that candidates declared in the form
-- stand with their sign-ups, where the allotment looks for them: until now they were read from a field that no form has.
-- lock: recuse is closed for an instant; sign-ups whose form names relatives are written once; compatible: yes

alter table recuse add column is_deleted boolean not null default false;
alter table recuse add column updated_at timestamptz;
alter table recuse add column updated_by bigint;
create unique index recuse_signup_uq on recuse (tenant_id, exam_id, reviewer_id, signup_id) where signup_id is not null and not is_deleted;
create unique index recuse_unit_uq on recuse (tenant_id, exam_id, reviewer_id, unit) where unit is not null and not is_deleted;
create index recuse_exam_ix on recuse (tenant_id, exam_id, id desc);

update signup set relatives = content->'relativeInfo'
where relatives = '[]' and jsonb_typeof(content->'relativeInfo') = 'array' and content->'relativeInfo' <> '[]';

-- verify: select is_deleted, updated_at, updated_by from recuse limit 0
