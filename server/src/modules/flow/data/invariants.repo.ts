import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

export const flowInvariants: readonly Invariant[] = [
  {
    name: 'flow.open-tasks',
    label: { zh: '流程待办', en: 'Tasks of processes' },
    means: { zh: '已结束的流程仍有待办，办理会失败。', en: 'A process that has ended still asks somebody for something.' },
    watches: ['flow_task.state'],
    page: '/flow/follow',
    by: 'tenant',
    broken: () => sql`
      select i.id, i.flow_name || ' ' || i.id as name, i.state as found, count(*) || ' open' as expected
      from flow_task t join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
      where t.state = 'open' and i.state not in ('running', 'returned') group by i.id, i.flow_name, i.state`,
  },
  {
    name: 'flow.leave',
    label: { zh: '请假单与流程一致', en: 'Leave requests agree with their process' },
    means: { zh: '请假单显示的结果与审批不符。', en: 'A request shows another outcome than its process had.' },
    watches: ['leave_request.state'],
    page: '/work/send',
    by: 'tenant',
    broken: () => sql`
      select l.id, l.id::text as name, l.state as found, i.state as expected
      from leave_request l join flow_instance i on i.tenant_id = l.tenant_id and i.id = l.instance_id
      where (l.state = 'waiting') and i.state in ('finished', 'cancelled', 'withdrawn') or l.state in ('passed', 'refused') and i.state <> 'finished'`,
  },
]
