import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

export const jobInvariants: readonly Invariant[] = [
  {
    name: 'job.next-time',
    label: { zh: '启用的任务有下次时间', en: 'Jobs that are on have a next time' },
    means: {
      zh: '启用的定时任务不会再运行。编辑并保存任务即可重新安排。',
      en: 'A job that is on will never run again. Saving it plans it anew.',
    },
    watches: ['job_info.next_time'],
    page: '/job/jobinfo',
    by: 'tenant',
    broken: ({ now }) => sql`
      select j.id, j.job_name as name, coalesce(j.next_time::text, '-') as found, '> ' || ${now}::timestamptz as expected
      from job_info j join job_server v on v.tenant_id = j.tenant_id and v.id = j.job_server_id and v.job_server_url = ''
      where j.is_own and j.enable = 1 and not j.is_deleted and (j.next_time is null or j.next_time < ${now}::timestamptz - interval '1 day')`,
  },
]
