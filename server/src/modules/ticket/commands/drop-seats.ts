import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { dropPages } from '../data/change.repo.ts'
import { signupExam, standingOf } from '../data/eligible.repo.ts'
import { ticketsOf } from '../data/ticket.repo.ts'
import { lostByRefund, lostPlace } from '../domain/seat-bar.ts'
import { lockTickets } from './allocate.ts'
import { orderNotices } from './orders.ts'

/**
 * Frees the seats of somebody who has lost the place: every live ticket is void by rule, with the reason in the trail, and whoever had been given
 * one is told once. Nothing happens while the place is kept. Giving the place back gives no seat back; seating the late does.
 * @returns how many tickets
 */
export const dropSeatsOf = async (db: TenantDb, signupId: string): Promise<number> => {
  const standing = await standingOf(db, signupId)
  const lost = standing && lostPlace(standing)
  const examId = lost && (await signupExam(db, signupId))
  if (!lost || examId === undefined) return 0
  // Seats that are being drawn at this moment are seen once they are there.
  await lockTickets(db, examId)
  let count = 0
  for (const type of [1, 2] as const) {
    const rows = (await ticketsOf(db, [signupId], type)).filter(row => row.ticketState !== 'void')
    for (const row of rows) {
      const move = { from: row.ticketState, to: 'void', column: 'ticket_state' }
      if (!(await transition(db, 'ticket', row.id, move, { void_by_rule: true }))) throw new Error(`ticket ${row.id} moved under its lock`)
      await audit(db, undefined, {
        action: 'ticket.voided',
        entity: 'ticket',
        entityId: row.id,
        before: { ticketState: row.ticketState, ticketNo: row.ticketNo },
        after: { ticketState: 'void', byRule: true },
        reason: lost.text.zh,
      })
    }
    count += rows.length
    if (rows.length > 0) await dropPages(db, [signupId], type)
    const shown = rows.find(row => row.ticketState !== 'made')
    if (shown)
      await orderNotices(db, {
        ...{ examId, type, signupIds: [signupId], event: lostByRefund(standing) ? 'placeLost' : 'notEntitled' },
        eventKey: `ticket-place-lost:${shown.id}`,
      })
  }
  return count
}
