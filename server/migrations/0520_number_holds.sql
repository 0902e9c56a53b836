-- An id number is held by sign-ups that count: one that was taken back or refused, or was never handed in, keeps nobody else out of the
-- examination. The states are those of `holdsNumber` (contract signup.state).
-- lock: signup is closed to writers while the index is built; compatible: yes

drop index signup_id_card_uq;
create unique index signup_id_card_uq on signup (tenant_id, exam_id, id_card_index)
  where not is_deleted and id_card_index is not null and examine not in ('draft', 'refused', 'withdrawn');

-- verify: select 1 / (select count(*)::int from pg_indexes where indexname = 'signup_id_card_uq' and indexdef like '%withdrawn%')
