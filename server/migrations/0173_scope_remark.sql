-- A scope may have no remark: the kernel writes an emptied text as null.
-- lock: short (two columns lose a constraint); compatible: yes

alter table data_scope alter column remark drop not null, alter column remark drop default;
alter table api_scope alter column remark drop not null, alter column remark drop default;

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'data_scope' and column_name = 'remark' and is_nullable = 'YES')
