-- Where there is no fee nobody pays: the opening ratio of such an examination counts passed sign-ups.
-- lock: short (examination: some rows); compatible: yes

update examination set ratio_basis = 1 where fee_mode = 0 and ratio_basis = 2;

-- verify: select 1 / (case when exists (select from examination where fee_mode = 0 and ratio_basis = 2) then 0 else 1 end)
