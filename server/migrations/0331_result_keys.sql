-- A result names its examination and paper together: one reference in place of two, which also keeps papers of other examinations out. The tenant follows from both.
-- Asking for the tenant's own row too was the dearest part of an import: every transaction that writes anything locks that row.
-- lock: short (a unique index on the papers, a check of the results); compatible: yes
alter table exam_item add constraint exam_item_of_exam_uq unique (tenant_id, exam_id, id);
alter table result
  add constraint result_paper_fkey foreign key (tenant_id, exam_id, item_id) references exam_item (tenant_id, exam_id, id),
  drop constraint result_tenant_id_fkey,
  drop constraint result_tenant_id_exam_id_fkey,
  drop constraint result_tenant_id_item_id_fkey;
