import { sql } from '#kernel/db/sql.ts'
import type { Holding } from '#kernel/holding.ts'
import { insertStep } from './alert.repo.ts'

export const oversightHoldings: readonly Holding[] = [
  {
    name: 'oversight.alerts',
    label: { zh: '正在核查的告警', en: 'Alerts being looked at' },
    columns: ['watch_alert.handler_id'],
    pool: { zh: '退回待处理', en: 'Back to the new ones' },
    // Who may look at an alert depends on whom it is about: the successor takes it like everybody else.
    isPersonal: true,
    rows: () => sql`
      select w.handler_id as holder, w.id::text as id, w.name_zh as name, 1 as count, 'alert_handle'::text as needs, null::bigint as dept, null::bigint as reach
      from watch_alert w where w.tenant_id = app_tenant() and w.state = 'looking' and w.handler_id is not null`,
    letGo: async ({ db, ids }) => {
      for (const id of ids) {
        await db.run(sql`
          update watch_alert set state = 'new', handler_id = null, handled_at = null, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
          where id = ${id} and state = 'looking'`)
        await insertStep(db, id, 'release', '')
      }
    },
  },
]
