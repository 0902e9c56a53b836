import { reminderDue, reminderKey } from '#kernel/db/reminder.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface UnsentRow {
  readonly userId: string
  readonly examId: string
  readonly examName: string
  readonly isReturned: boolean
  readonly until: Date
  readonly eventKey: string
}

/** Sign-ups that were begun, or returned, and not handed in, whose end is near (`correctionsEnd` says until when a returned one is mended). */
export const listUnsent = (db: TenantDb, limit: number): Promise<UnsentRow[]> =>
  db.all(sql<UnsentRow>`
    select user_id::text as "userId", exam_id::text as "examId", exam_name as "examName", examine = 'returned' as "isReturned", until, key as "eventKey"
    from (
      select s.*, e.exam_name, u.until, r.hours, ${reminderKey('sign-ends', sql`s.id`, sql`r.hours`, sql`u.until`)} as key
      from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
        cross join lateral (
          select case when s.examine = 'draft' then e.sign_end else greatest(coalesce(e.modify_end, e.sign_end), s.extend_until) end as until) u
        cross join lateral (select ${reminderDue(sql`u.until`)} as hours) r
      where s.examine in ('draft', 'returned') and not s.is_deleted and e.state = 'released' and not e.is_deleted) d
    where hours is not null and not exists (select 1 from notify told where told.user_id = d.user_id and told.event_key = d.key) order by id limit ${limit}`)
