import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { reissueTicket } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import { newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findPaper } from '#modules/exam/index.ts'
import { copyVoid, dropPages, isSeatTaken } from '../data/change.repo.ts'
import { standingOf } from '../data/eligible.repo.ts'
import { publishTicketsOf } from '../data/late.repo.ts'
import { findTicket, lockTicket, ticketsOf } from '../data/ticket.repo.ts'
import { seatBar } from '../domain/seat-bar.ts'
import { viewTicket } from '../views.ts'
import { lockTickets } from './allocate.ts'
import { orderNotices, orderRendering } from './orders.ts'

/**
 * A ticket that was made void by mistake is given out again: same number and seat, a new row and a new code, so that the void paper stays void.
 * Where the paper is released the new ticket is released with it. 2305 when somebody else sits there by now.
 */
export const reissue = async (ctx: Ctx, db: TenantDb, { id, reason }: InputOf<typeof reissueTicket>) => {
  const seen = await findTicket(db, id)
  if (!seen) throw new Refused(refuse('kernel/not-found', {}))
  await lockTickets(db, seen.examId)
  const row = await lockTicket(db, id)
  if (!row) throw new Refused(refuse('kernel/not-found', {}))
  const all = await ticketsOf(db, [row.signupId], row.type)
  if (row.ticketState !== 'void' || all.some(one => one.itemId === row.itemId && one.ticketState !== 'void'))
    throw new Refused(refuseTicket('ticket/not-void', {}))
  const [paper, standing] = [await findPaper(db, row.itemId), await standingOf(db, row.signupId)]
  if (!paper || !standing) throw new Refused(refuse('kernel/not-found', {}))
  const bar = seatBar(standing)
  if (bar) throw new Refused(bar)
  if (paper.ticketState === 'none') throw new Refused(refuseTicket('ticket/not-made', { items: paper.itemName }))
  if (paper.ticketState === 'ended' || row.endTime <= db.now) throw new Refused(refuseTicket('ticket/released', {}))
  if (await isSeatTaken(db, { examId: row.examId, itemIds: [row.itemId], signupId: row.signupId }, row))
    throw new Refused(refuseTicket('ticket/seat-taken', {}))
  // One code stands on all papers of a person: that of the live ones, if there are any.
  const live = all.find(one => one.ticketState !== 'void')
  const fresh = await copyVoid(db, row.id, live?.qrToken ?? newToken())
  await dropPages(db, [row.signupId], row.type)
  const isPublic = paper.ticketState === 'released'
  if (isPublic) {
    await publishTicketsOf(db, row.examId, [row.itemId], [row.signupId])
    await orderRendering(db, { renderId: null, examId: row.examId, type: row.type, itemIds: [], signupIds: [row.signupId] })
    const eventKey = `ticket-reissued:${fresh.id}`
    await orderNotices(db, { examId: row.examId, type: row.type, signupIds: [row.signupId], eventKey, event: 'released' })
  }
  await audit(db, ctx, {
    action: 'ticket.reissued',
    entity: 'ticket',
    entityId: fresh.id,
    before: { id: row.id, ticketState: 'void' },
    after: { ticketNo: row.ticketNo, seat: `${row.siteCode}-${row.roomNo}-${row.seatNo}`, released: isPublic },
    reason,
  })
  const made = await findTicket(db, fresh.id)
  if (!made) throw new Refused(refuse('kernel/not-found', {}))
  return viewTicket(made)
}
