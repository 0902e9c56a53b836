-- What a decision overwrote, so that undoing it puts back exactly that, and who undid it (domain 4.2, last row).
-- lock: short (three nullable columns); compatible: yes

alter table examine_record
  add column before_value jsonb,
  add column undone_by bigint,
  add column undone_at timestamptz;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'examine_record' and column_name = 'before_value')
