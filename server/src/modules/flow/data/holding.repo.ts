import { type RawBuilder, sql } from '#kernel/db/sql.ts'

// What people hold, a row each: `Holding` of the kernel says what the columns are.

export const openTaskRows = (): RawBuilder<unknown> => sql`
      select t.assignee as holder, t.id::text as id, concat_ws(' · ', t.name, nullif(i.title, '')) as name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from flow_task t join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
      where t.tenant_id = app_tenant() and t.state = 'open' and t.assignee is not null`

export const delegatedTaskRows = (): RawBuilder<unknown> => sql`
      select t.owner as holder, t.id::text as id, t.name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from flow_task t where t.tenant_id = app_tenant() and t.state = 'open' and t.owner is not null`

export const candidateRows = (): RawBuilder<unknown> => sql`
      select k.ref::bigint as holder, t.id::text as id, t.name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from flow_candidate k join flow_task t on t.tenant_id = k.tenant_id and t.id = k.task_id
      where k.tenant_id = app_tenant() and k.kind = 'user' and k.ref ~ '^[0-9]{1,18}$' and t.state = 'open' and t.assignee is null`
