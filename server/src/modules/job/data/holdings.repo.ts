import { sql } from '#kernel/db/sql.ts'
import type { Holding } from '#kernel/holding.ts'

export const jobHoldings: readonly Holding[] = [
  {
    name: 'job.alarms',
    label: { zh: '定时任务报警接收人', en: 'Alarms of scheduled jobs' },
    columns: ['job_info.notify_user_ids'],
    pool: { zh: '由其他接收人接收；没有的转给其上级', en: 'The others get them; else their superior' },
    rows: () => sql`
      select n.id::bigint as holder, j.id::text as id, j.job_name as name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from job_info j cross join lateral unnest(string_to_array(nullif(j.notify_user_ids, ''), ',')) n(id)
      where j.tenant_id = app_tenant() and not j.is_deleted and n.id ~ '^[0-9]{1,18}$'`,
    letGo: async ({ db, ids, from, to, stead }) => {
      await db.run(sql`
        update job_info j set notify_user_ids = coalesce((
            select string_agg(distinct n.id, ',') from (
              select a.id::text as id from unnest(string_to_array(j.notify_user_ids, ',')) o(id)
                join account a on a.tenant_id = j.tenant_id and a.id::text = o.id and a.status = 1 and not a.is_deleted where o.id <> ${from.id}
              union all select ${to?.id ?? null}::text) n where n.id is not null), ${stead.id}),
          updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
        where j.id = any(${[...ids]}::bigint[])`)
    },
  },
]
