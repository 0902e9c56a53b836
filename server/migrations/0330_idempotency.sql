-- Nobody asked by it: a key is looked up by person, and what has run out is removed in every tenant at once. While the table was new and small the planner
-- took it for the look-up and read every key of the tenant.
-- lock: short (an index goes); compatible: yes
drop index idempotency_created_ix;
