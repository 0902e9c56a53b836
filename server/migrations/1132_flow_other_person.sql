-- A step of a process can demand another person than those who decided at its other steps; the built-in leave does.
-- lock: short (a column with a constant default; one row of the common leave where nobody has deployed another)
-- compatible: the release before keeps running (it reads the drawing and does not heed the new attribute)

alter table public.flow_task add column other_person boolean not null default false;

-- Only the definition as it was installed: what a platform has drawn itself stays as drawn.
update public.flow_definition
set xml = replace(xml, '<bpmn:userTask id="confirm" name="管理员确认" flowable:candidateGroups="role:admin" flowable:dueDate="P3D" />', '<bpmn:userTask id="confirm" name="管理员确认" flowable:candidateGroups="role:admin" flowable:dueDate="P3D" kaopu:other="true" />'),
  graph = jsonb_set(graph, '{nodes,confirm,task,otherPerson}', 'true')
where is_common and flow_key = 'leave' and flow_version = 1
  and position('<bpmn:userTask id="confirm" name="管理员确认" flowable:candidateGroups="role:admin" flowable:dueDate="P3D" />' in xml) > 0
  and graph #> '{nodes,confirm,task}' is not null;

-- verify: select 1 / (select count(*)::int from information_schema.columns where table_name = 'flow_task' and column_name = 'other_person')
