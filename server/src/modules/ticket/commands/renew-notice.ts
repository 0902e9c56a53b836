import type { TenantDb } from '#kernel/db/scope.ts'
import { renewForRules } from '../data/change.repo.ts'
import { forgetReading } from '../data/notice.repo.ts'
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
  const rows = await renewForRules(db, of)
  await forgetReading(db, of.examId)
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
