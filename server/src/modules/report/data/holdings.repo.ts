import { sql } from '#kernel/db/sql.ts'
import type { Holding } from '#kernel/holding.ts'

export const reportHoldings: readonly Holding[] = [
  {
    name: 'report.schedules',
    label: { zh: '定时发送的报表', en: 'Reports sent on schedule' },
    columns: ['report.owner_id'],
    pool: { zh: '停止定时发送', en: 'No longer sent' },
    rows: () => sql`
      select r.owner_id as holder, r.id::text as id, r.report_name as name, 1 as count, 'report_send'::text as needs, null::bigint as dept, null::bigint as reach
      from report r where r.tenant_id = app_tenant() and not r.is_deleted and r.cron <> ''`,
    letGo: async ({ db, ids, to }) => {
      // A report runs with the rights of its owner: without one it is sent to nobody.
      await db.run(
        to === undefined
          ? sql`update report set cron = '', next_time = null, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = any(${[...ids]}::bigint[])`
          : sql`update report set owner_id = ${to.id}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = any(${[...ids]}::bigint[])`,
      )
    },
  },
  {
    name: 'report.readers',
    label: { zh: '定时报表接收人', en: 'Receiver of scheduled reports' },
    columns: ['report.people'],
    pool: { zh: '不再接收', en: 'No longer sent to them' },
    rows: () => sql`
      select p.id::bigint as holder, r.id::text as id, r.report_name as name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from report r cross join lateral jsonb_array_elements_text(r.people) p(id)
      where r.tenant_id = app_tenant() and not r.is_deleted and r.cron <> '' and p.id ~ '^[0-9]{1,18}$'`,
    letGo: async ({ db, ids, from, to }) => {
      await db.run(sql`
        update report set people = coalesce((select jsonb_agg(distinct p.id) from (
            select id from jsonb_array_elements_text(people) p(id) where id <> ${from.id} union all select ${to?.id ?? null}::text) p where p.id is not null), '[]'),
          updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
        where id = any(${[...ids]}::bigint[])`)
    },
  },
]
