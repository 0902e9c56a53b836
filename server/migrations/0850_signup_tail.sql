-- Staff find a sign-up by the last four characters of the id number.
-- lock: short (an index is built; sign-ups cannot be written while it is); compatible: yes
create index signup_tail_ix on signup (tenant_id, right(id_card_mask, 4)) where not is_deleted;
-- verify: select 1 / (select count(*) from pg_indexes where indexname = 'signup_tail_ix')
