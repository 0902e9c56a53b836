import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { TicketRow } from './ticket.repo.ts'

/** A sign-up as far as the caller sees it. */
export const findSignup = (db: TenantDb, id: string): Promise<{ examId: string; userId: string } | undefined> =>
  db.maybe(sql<{ examId: string; userId: string }>`
    select exam_id::text as "examId", user_id::text as "userId" from signup where id = ${id} and not is_deleted`)

/** The rendered file of a ticket. */
export const fileOfTicket = async (db: TenantDb, id: string): Promise<string | null> =>
  (await db.maybe(sql<{ fileId: string | null }>`select pdf_file_id::text as "fileId" from ticket where id = ${id}`))?.fileId ?? null

/** Papers whose download by this person was recorded after `since`. */
export const downloadedSince = async (
  db: TenantDb,
  of: Pick<TicketRow, 'examId' | 'signupId' | 'type'>,
  since: Date,
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ itemId: string }>`
    select item_id::text as "itemId" from ticket_down where exam_id = ${of.examId} and signup_id = ${of.signupId} and type = ${of.type} and created_at > ${since}`)
  return new Set(rows.map(row => row.itemId))
}

/** Records one download of one paper and counts it on the ticket. */
export const insertDownload = async (
  db: TenantDb,
  row: TicketRow,
  by: { readonly ip: string; readonly userAgent: string; readonly isPhone: boolean },
): Promise<void> => {
  await db.run(sql`
    insert into ticket_down (tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, ip, user_agent, client)
    values (${db.actor.tenantId}, ${row.examId}, ${row.itemId}, ${row.signupId}, ${row.userId}, ${row.type}, ${row.ticketNo}, ${by.ip}, ${by.userAgent}, ${by.isPhone ? 2 : 1})`)
  await db.run(sql`
    update ticket set down_count = down_count + 1, first_down_time = coalesce(first_down_time, app_now()), updated_at = app_now(),
      ticket_state = case when ticket_state = 'released' then 'downloaded' else ticket_state end
    where id = ${row.id} and ticket_state in ('released', 'downloaded')`)
}
