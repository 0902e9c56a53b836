-- Rights to processes and scheduled jobs are kept apart as those of the same kind are.
-- lock: none; compatible: yes

create or replace function kept_for(code text) returns text[] language sql immutable parallel safe as
$$ select case
  when code in ('result_withdraw', 'payaccount_edit') then '{admin}'::text[]
  when code in ('user_view', 'user', 'dept_view', 'dept', 'flow_follow_view', 'flow_follow', 'flow', 'log_usual_view', 'log_usual_export', 'log_usual',
    'log_api_view', 'log_api_export', 'log_api', 'log_error_view', 'log_error_export', 'log_error') then '{administrator,admin,auditor}'::text[]
  when code in ('user_add', 'user_edit', 'user_delete', 'user_export', 'user_audit', 'user_role', 'user_reset', 'user_totp', 'user_lock', 'user_import', 'dict_view',
    'dict', 'dictbiz_view', 'dictbiz_add', 'dictbiz_edit', 'dictbiz_delete', 'dictbiz_export', 'dictbiz_import', 'dictbiz', 'dept_add', 'dept_edit',
    'dept_delete', 'dept_export', 'dept_import', 'dicthorizontal', 'dictvertical', 'post_view', 'post_add', 'post_edit', 'post_delete', 'post_export',
    'post_import', 'post', 'param_view', 'param_add', 'param_edit', 'param_delete', 'param_export', 'param_import', 'param', 'menu_add', 'menu_edit',
    'menu_delete', 'menu_export', 'topmenu_view', 'topmenu_add', 'topmenu_edit', 'topmenu_delete', 'topmenu_export', 'topmenu_setting', 'topmenu', 'test',
    'flow_model_view', 'flow_model_create', 'flow_model_update', 'flow_model_deploy', 'flow_model_delete', 'flow_model', 'flow_deploy_upload',
    'flow_deploy', 'flow_manager_view', 'flow_manager_state', 'flow_manager_image', 'flow_manager_remove', 'flow_manager', 'flow_follow_assign',
    'flow_follow_delete', 'authlog_purge', 'log_usual_purge', 'log_api_purge', 'log_error_purge', 'jobserver_view', 'jobserver_add', 'jobserver_edit',
    'jobserver_delete', 'jobserver_export', 'jobserver_sync', 'jobserver', 'jobinfo_view', 'jobinfo_add', 'jobinfo_edit', 'jobinfo_delete',
    'jobinfo_export', 'jobinfo_run', 'jobinfo_sync', 'jobinfo', 'job') then '{administrator,admin}'::text[]
  when code in ('role_add', 'role_edit', 'role_delete', 'role_export', 'role_setting', 'role_back', 'datascope_add', 'datascope_edit', 'datascope_delete',
    'datascope_export', 'fieldrule_edit', 'apiscope_add', 'apiscope_edit', 'apiscope_delete', 'apiscope_export', 'online_kick') then '{administrator,admin,secadmin}'::text[]
  when code in ('auditlog_view', 'auditlog_export', 'auditlog') then '{auditor}'::text[]
  when code in ('alert_view', 'alert_handle', 'alert', 'watchrule_view', 'watchrule') then '{secadmin,auditor}'::text[]
  when code in ('watchrule_edit') then '{secadmin}'::text[]
end $$;

-- verify: select 1 / (kept_for('flow_model_deploy') = '{administrator,admin}' and kept_for('signup_view') is null)::int
