import { idsOf } from '#contract/kernel/ids.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { creTicketEnd } from '#contract/ticket/ticket.routes.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import type { TicketContext } from '../deps.ts'
import { seatingModes } from '../domain/seating.ts'
import { allocate, planAllocation, publishSeeds } from './allocate.ts'
import { needWhole } from './whole.ts'

/** Draws the seats of papers (creTicketEnd), or says what the draw would do. */
export const orderAllocation = async (context: TicketContext, ctx: Ctx, input: InputOf<typeof creTicketEnd>) => {
  const mode = seatingModes.find(one => one === (input.mode ?? 'random'))
  if (mode === undefined) return refuseTicket('ticket/mode', {})
  needWhole(ctx)
  const order = {
    examId: input.examId,
    itemIds: idsOf(input.itemIds),
    mode,
    dryRun: input.dryRun === 1,
    force: input.force === 1,
  }
  const keyed = keyedCall<Awaited<ReturnType<typeof allocate>>>(context.services.cipher, ctx, creTicketEnd.path, input)
  if (order.dryRun) return keyed.once(db => planAllocation(context, ctx, db, order))
  // A key that stands for another call is refused before the digests are committed.
  const known = await keyed.recalled()
  if (known) return known.value
  // The digests are committed before the draw begins, in a transaction that stands whatever becomes of the draw.
  await ctx.tx(db => publishSeeds(context, ctx, db, order))
  return keyed.once(db => allocate(context, ctx, db, order))
}
