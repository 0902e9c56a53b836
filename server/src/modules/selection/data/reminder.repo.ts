import { reminderDue, reminderKey } from '#kernel/db/reminder.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface EndingRow {
  readonly userId: string
  readonly examId: string
  readonly examName: string
  readonly stage: number
  readonly kind: 1 | 2
  readonly until: Date
  readonly hours: number
  readonly eventKey: string
}

/** Calls that nobody answered and whose end is near. */
export const listEndingCalls = (db: TenantDb, hours: readonly number[], limit: number): Promise<EndingRow[]> =>
  db.all(sql<EndingRow>`
    select user_id::text as "userId", exam_id::text as "examId", exam_name as "examName", stage, kind, until, hours, key as "eventKey"
    from (
      select c.*, e.exam_name, c.deadline as until, r.hours, ${reminderKey('selection-ends', sql`c.id`, sql`r.hours`, sql`c.deadline`)} as key
      from selection_call c join examination e on e.tenant_id = c.tenant_id and e.id = c.exam_id
        cross join lateral (select ${reminderDue(sql`c.deadline`, hours)} as hours) r
      where c.state = 'waiting' and not e.is_deleted) d
    where hours is not null and not exists (select 1 from notify told where told.user_id = d.user_id and told.event_key = d.key) order by id limit ${limit}`)

/** Medical checks that were not passed, whose owners may ask for a second one only for a while. */
export const listEndingChecks = (db: TenantDb, hours: readonly number[], limit: number): Promise<EndingRow[]> =>
  db.all(sql<EndingRow>`
    select user_id::text as "userId", exam_id::text as "examId", exam_name as "examName", 5 as stage, 1 as kind, until, hours, key as "eventKey"
    from (
      select p.*, e.exam_name, p.step_until as until, r.hours, ${reminderKey('selection-ask-ends', sql`p.id`, sql`r.hours`, sql`p.step_until`)} as key
      from selection_person p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
        cross join lateral (select ${reminderDue(sql`p.step_until`, hours)} as hours) r
      where p.step = 'failing' and not e.is_deleted) d
    where hours is not null and not exists (select 1 from notify told where told.user_id = d.user_id and told.event_key = d.key) order by id limit ${limit}`)

/** Examinations with second medical checks that are past their last day. */
export const listOverdueChecks = (db: TenantDb): Promise<{ examId: string; examName: string; count: number }[]> =>
  db.all(sql<{ examId: string; examName: string; count: number }>`
    select e.id::text as "examId", e.exam_name as "examName", count(*)::int as count
    from selection_person p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
    where p.step = 'rechecking' and p.step_until <= app_now() and not e.is_deleted group by e.id, e.exam_name order by e.id`)
