-- A line of the audit trail names its tenant and is held to it; what waits for its seal and the seal are of a line. Each of them asked for the tenant again.
-- lock: short on audit_pending and audit_seal; compatible: yes
alter table audit_pending drop constraint audit_pending_tenant_id_fkey;
alter table audit_seal drop constraint audit_seal_tenant_id_fkey;

-- verify: select 1 / (select (count(*) = 0)::int from pg_constraint where conrelid in ('audit_pending'::regclass, 'audit_seal'::regclass) and contype = 'f')
