-- Services and templates of text messages are for administrators alone: who is kept apart may not have them by another role.
-- lock: none; compatible: yes

do $$ begin
  execute replace(pg_get_functiondef('kept_for(text)'::regprocedure), 'select case', $branch$select case
  when code in ('sms', 'sms_view', 'sms_add', 'sms_edit', 'sms_delete', 'sms_export', 'sms_enable', 'sms_send') then '{administrator,admin}'::text[]
  when code in ('sendtemplate_add', 'sendtemplate_edit', 'sendtemplate_delete', 'sendtemplate_export') then '{admin}'::text[]$branch$);
end $$;

-- verify: select 1 / (kept_for('sms_enable') = '{administrator,admin}' and kept_for('oss_enable') = '{administrator,admin}' and kept_for('sendtemplate_add') = '{admin}' and kept_for('sendtemplate_view') is null)::int
