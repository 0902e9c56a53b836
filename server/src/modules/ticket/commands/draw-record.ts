import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { drawRecordOf } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findPaper, listPapers } from '#modules/exam/index.ts'
import { addDraw, lastDraw, newDrawId } from '../data/draw-record.repo.ts'
import type { TicketContext } from '../deps.ts'
import { type DrawFacts, drawRecord } from '../domain/draw-record.ts'
import { withGroups } from '../domain/paper-group.ts'
import { needWhole } from './whole.ts'

const placeOf = (id: string) => ({ table: 'seat_draw', column: 'record_sealed', rowId: id })

/** Keeps what a draw was made from and what came of it. @returns the digest of the record */
export const keepDraw = async ({ services }: TicketContext, db: TenantDb, itemId: string, facts: DrawFacts): Promise<string> => {
  const record = drawRecord(facts)
  const digest = createHash('sha256').update(record).digest('hex')
  const id = await newDrawId(db)
  const { examId, version, seedCommit } = facts
  const sealed = services.cipher.seal(db.actor.tenantId, placeOf(id), gzipSync(record).toString('base64'))
  await addDraw(db, { id, examId, itemId, version, people: facts.sitters.length, seedCommit, digest, sealed })
  return digest
}

/** The record of the last draw of a paper, for whoever supervises it; papers of one seat group have one together. */
export const readDrawRecord = async (
  { services }: TicketContext,
  ctx: Ctx,
  db: TenantDb,
  { examId, itemId }: InputOf<typeof drawRecordOf>,
): Promise<OutputOf<typeof drawRecordOf> | Refusal> => {
  needWhole(ctx)
  const paper = await findPaper(db, itemId)
  if (!paper || paper.examId !== examId) return refuse('kernel/not-found', {})
  for (const { id, ticketState, allotVersion } of withGroups(await listPapers(db, examId), [itemId])) {
    const draw = ticketState === 'none' ? undefined : await lastDraw(db, examId, id)
    // A plan that was imported since has no record.
    if (draw?.version !== allotVersion) continue
    await audit(db, ctx, {
      action: 'ticket.draw-read',
      entity: 'exam-item',
      entityId: id,
      after: { version: draw.version, people: draw.people, digest: draw.digest },
    })
    const packed = Buffer.from(services.cipher.open(db.actor.tenantId, placeOf(draw.id), draw.sealed), 'base64')
    return { record: gunzipSync(packed).toString('utf8'), digest: draw.digest, version: draw.version, drawnTime: toWireTime(draw.drawnAt) }
  }
  return refuseTicket('ticket/no-draw', { item: paper.itemName })
}
