-- Why somebody needs help at the examination is sealed like numbers of cards, and goes with its proof thirty days after the last paper.
-- lock: short (catalogue only); compatible: yes

alter table accommodation add column reason_sealed bytea;
alter table accommodation add column erased_at timestamptz;
alter table accommodation alter column reason drop not null;

-- verify: select 1 / (count(*)::int / 2) from information_schema.columns where table_name = 'accommodation' and column_name in ('reason_sealed', 'erased_at')
