import { reminderDue, reminderKey } from '#kernel/db/reminder.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { dueUntil } from './due.repo.ts'

export interface UnpaidRow {
  readonly userId: string
  readonly examId: string
  readonly examName: string
  readonly amountFen: number
  readonly until: Date
  readonly hours: number
  readonly eventKey: string
}

/** Dues whose end is near and whose owners have not heard of it yet. */
export const listUnpaid = (db: TenantDb, limit: number): Promise<UnpaidRow[]> =>
  db.all(sql<UnpaidRow>`
    select user_id::text as "userId", exam_id::text as "examId", exam_name as "examName", amount_fen as "amountFen", until, hours, key as "eventKey"
    from (
      select p.*, e.exam_name, u.until, r.hours, ${reminderKey('pay-ends', sql`p.id`, sql`r.hours`, sql`u.until`)} as key
      from exam_pay p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
        cross join lateral (select ${dueUntil} as until) u cross join lateral (select ${reminderDue(sql`u.until`)} as hours) r
      where p.state = 'due' and not p.is_deleted and e.state = 'released' and not e.is_deleted) d
    where hours is not null and not exists (select 1 from notify told where told.user_id = d.user_id and told.event_key = d.key) order by id limit ${limit}`)
