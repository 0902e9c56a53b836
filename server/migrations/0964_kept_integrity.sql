-- Records of integrity are decided by the administrator alone (domain 4.11).
-- lock: none (one function); compatible: yes

do $$
begin
  execute replace(pg_get_functiondef('kept_for(text)'::regprocedure), '''payaccount_edit''', '''payaccount_edit'', ''integrity_decide''');
end $$;

-- verify: select 1 / (kept_for('integrity_decide') = '{admin}' and kept_for('payaccount_edit') = '{admin}')::int
