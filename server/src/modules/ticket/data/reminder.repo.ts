import { reminderDue, reminderKey } from '#kernel/db/reminder.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { eligibleCondition } from './eligible.repo.ts'

export interface WaitingTicketRow {
  readonly userId: string
  readonly examId: string
  readonly examName: string
  readonly until: Date
  readonly hours: number
  readonly eventKey: string
}

/** Released tickets that their holders have not fetched, whose last day is near; without an end of their own they are fetched until the first paper. */
export const listUnfetched = (db: TenantDb, hours: readonly number[], limit: number): Promise<WaitingTicketRow[]> =>
  db.all(sql<WaitingTicketRow>`
    with waiting as (
      select t.tenant_id, t.exam_id, t.signup_id, t.user_id, t.type, min(t.start_time) as starts
      from ticket t where not t.is_deleted and t.ticket_state <> 'void'
      group by t.tenant_id, t.exam_id, t.signup_id, t.user_id, t.type having bool_or(t.ticket_state = 'released') and not bool_or(t.ticket_state = 'downloaded')),
    ends as (
      select w.signup_id, w.user_id, w.exam_id, e.exam_name, u.until, r.hours, ${reminderKey('ticket-waits', sql`w.signup_id || '-' || w.type`, sql`r.hours`, sql`u.until`)} as key
      from waiting w join examination e on e.tenant_id = w.tenant_id and e.id = w.exam_id join signup s on s.tenant_id = w.tenant_id and s.id = w.signup_id
        cross join lateral (select coalesce(case w.type when 1 then e.ticket_end else e.ms_ticket_end end, w.starts) as until) u
        cross join lateral (select ${reminderDue(sql`u.until`, hours)} as hours) r
      where e.state = 'released' and not e.is_deleted and coalesce(case w.type when 1 then e.ticket_begin else e.ms_ticket_begin end, app_now()) <= app_now()
        and ${eligibleCondition})
    select user_id::text as "userId", exam_id::text as "examId", exam_name as "examName", until, hours, key as "eventKey"
    from ends where hours is not null and not exists (select 1 from notify told where told.user_id = ends.user_id and told.event_key = ends.key) order by signup_id limit ${limit}`)
