-- Whoever is proposed to be disqualified answers in the account: 4, beside what the office heard in writing, by telephone or in person.
-- lock: short (a check of a small table, one policy, one index on it); compatible: yes

alter table selection_disqualification drop constraint selection_disqualification_statement_way_check,
  add constraint selection_disqualification_statement_way_check check (statement_way between 1 and 4);
create policy candidate on selection_disqualification for select to kaopu_candidate using (
  tenant_id = current_setting('app.tenant_id', true) and user_id = nullif(current_setting('app.user_id', true), '')::bigint);
grant select on selection_disqualification to kaopu_candidate;
create index selection_disqualification_user_ix on selection_disqualification (tenant_id, user_id);

-- verify: select 1 / (select count(*)::int from pg_policies where tablename = 'selection_disqualification' and policyname = 'candidate')
