-- What posts and schools are searched by is computed when one of its texts changes. Beside a trigger that runs before an update, whichever column it is for, PostgreSQL
-- computes every kept column anew with each update: each sign-up, which counts a post's places, worked out the pinyin of its name.
-- lock: none that lasts; compatible: yes
drop trigger forbid_tenant_change on type_code;
create trigger forbid_tenant_change after update of tenant_id on type_code for each row execute function forbid_tenant_change();
drop trigger forbid_tenant_change on school;
create trigger forbid_tenant_change after update of tenant_id on school for each row execute function forbid_tenant_change();

-- verify: select 1 / (select (count(*) = 0)::int from pg_trigger where tgrelid in ('type_code'::regclass, 'school'::regclass) and not tgisinternal and tgtype::int & 19 = 19)
