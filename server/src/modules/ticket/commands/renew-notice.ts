import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { TicketType } from '../data/ticket.repo.ts'
import { lockTickets } from './allocate.ts'
import { orderNotices, orderRendering } from './orders.ts'

/**
 * The printed rules have changed: no page with the former text can be downloaded any more. Public tickets are made anew as their next
 * version and their holders have to confirm the news; the others are made with the release. A person's code stays, because the
 * paper in their hand still admits them.
 *
 * @returns people whose public ticket changed
 */
export const renewPrintedNotice = async (
  db: TenantDb,
  of: { readonly examId: string; readonly itemId: string; readonly noticeId: string; readonly version: number },
): Promise<number> => {
  await lockTickets(db, of.examId)
  // A rendering that has read the former text finds another version of the row and leaves it without a file.
  const rows = await db.all(sql<{ signupId: string; type: TicketType; isPublic: boolean }>`
    update ticket set pdf_file_id = null, pdf_sha256 = null, version = version + 1, updated_at = app_now(), updated_by = ${db.actor.userId},
      pdf_version = pdf_version + case when ticket_state in ('released', 'downloaded') then 1 else 0 end
    where exam_id = ${of.examId} and ticket_state <> 'void' and not is_deleted
      ${of.itemId === '0' ? sql`` : sql`and signup_id in (select signup_id from ticket where item_id = ${of.itemId} and ticket_state <> 'void' and not is_deleted)`}
    returning signup_id::text as "signupId", type, ticket_state in ('released', 'downloaded') as "isPublic"`)
  // Whoever read the former rules has not read these.
  await db.run(sql`delete from ticket_notice_read where exam_id = ${of.examId}`)
  const told = new Set<string>()
  for (const type of [1, 2] as const) {
    const signupIds = [...new Set(rows.filter(row => row.isPublic && row.type === type).map(row => row.signupId))].sort()
    for (const id of signupIds) told.add(id)
    if (signupIds.length === 0) continue
    await orderRendering(db, { renderId: null, examId: of.examId, type, itemIds: [], signupIds })
    await orderNotices(db, { examId: of.examId, type, signupIds, event: 'rules', eventKey: `ticket-rules:${of.noticeId}:${of.version}` })
  }
  return told.size
}
