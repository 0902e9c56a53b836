-- Rights to the checks of data are kept apart as those of jobs are, and what a check finds of an examination is narrowed with it.
-- lock: short (a policy of invariant_finding)
-- compatible: the release before keeps running

do $do$ begin
  execute replace(pg_get_functiondef('public.kept_for(text)'::regprocedure), 'select case', $branch$select case
  when code in ('invariant', 'invariant_view', 'invariant_run', 'invariant_heal') then '{administrator,admin}'::text[]$branch$);
end $do$;

select public.narrow_with_exam('public.invariant_finding');

-- verify: select 1 / (public.kept_for('invariant_heal') = '{administrator,admin}' and public.kept_for('oss_enable') = '{administrator,admin}' and public.kept_for('signup_view') is null)::int
