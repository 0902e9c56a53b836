import { toWireTime } from '#contract/kernel/when.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { checkTicketCode, parseTicketCode } from '../check.ts'
import { photoOf } from '../data/eligible.repo.ts'
import { findTicket } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { noTicket } from '../domain/download-refusal.ts'
import { me, scopeOf } from '../views.ts'

/** Whose ticket a code at the door is, and whether it holds. */
export const checkTicket = async (context: TicketContext, ctx: Ctx, db: TenantDb, token: string) => {
  const code = parseTicketCode(token)
  const check = code && code.tenantId === ctx.tenantId ? await checkTicketCode(db, code.token) : undefined
  const [first] = check?.rows ?? []
  const scope = scopeOf(ctx.session)
  if (!check || !first || (scope && !(await findTicket(db, first.id, scope)))) return noTicket()
  const photoId = await photoOf(db, first.signupId)
  await audit(db, ctx, { action: 'ticket.checked', entity: 'ticket', entityId: first.id })
  return {
    valid: check.isValid,
    reason: check.reason ? ctx.say(check.reason) : null,
    version: first.allotVersion,
    name: first.name,
    idCardMask: first.idCardMask,
    ticketNo: first.ticketNo,
    photoUrl: photoId ? context.file.linkFor({ tenantId: ctx.tenantId, userId: me(ctx) }, photoId, ctx.arrivedAt) : null,
    examName: check.examName,
    items: check.rows.map(row => ({
      itemName: row.itemName,
      siteName: row.siteName,
      roomNo: row.roomNo,
      seatNo: row.seatNo,
      startTime: toWireTime(row.startTime),
      ticketState: ticketMachine.wire[row.ticketState],
    })),
  }
}
