-- The line that tells of a new tenant stands in the trail of the platform; the transaction that makes the tenant writes it.
-- lock: short (two policies); compatible: yes

create policy tenant_made on audit_log for insert to kaopu_system
  with check (tenant_id = '000000' and action = 'tenant.added' and entity_id = app_tenant());
-- The trigger of that line queues it for its seal; a row here without a line seals nothing.
create policy tenant_made on audit_pending for insert to kaopu_system with check (tenant_id = '000000');

-- verify: select 1 / (select count(*)::int / 2 from pg_policies where policyname = 'tenant_made')
