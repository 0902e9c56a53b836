import { sql } from '#kernel/db/sql.ts'
import type { Holding } from '#kernel/holding.ts'

export const examHoldings: readonly Holding[] = [
  {
    name: 'exam.managers',
    label: { zh: '考试负责人', en: 'Manager of examinations' },
    columns: ['examination.managers'],
    pool: { zh: '不再列为负责人', en: 'No longer named as a manager' },
    rows: () => sql`
      select m.id::bigint as holder, e.id::text as id, e.exam_name as name, 1 as count, 'role:exam_admin'::text as needs, null::bigint as dept, null::bigint as reach
      from examination e cross join lateral jsonb_array_elements_text(e.managers) m(id)
      where e.tenant_id = app_tenant() and not e.is_deleted and e.state <> 'closed' and m.id ~ '^[0-9]{1,18}$'`,
    letGo: async ({ db, ids, from, to }) => {
      await db.run(sql`
        update examination set managers = coalesce((select jsonb_agg(distinct m.id) from (
            select id from jsonb_array_elements_text(managers) m(id) where id <> ${from.id}
            union all select ${to?.id ?? null}::text) m where m.id is not null), '[]'),
          updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
        where id = any(${[...ids]}::bigint[])`)
    },
  },
]
