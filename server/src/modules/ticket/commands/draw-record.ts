import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { refuse } from '#contract/kernel/errors.ts'
import { leafOf, pairOf } from '#contract/kernel/inclusion-proof.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { seatLeafText } from '#contract/ticket/seat-proof.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { drawRecordOf, getSeatProof } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { hashTree, placesBeside } from '#kernel/hash-tree.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { randomBytes } from '#kernel/random.ts'
import { inTurns } from '#kernel/turns.ts'
import { findPaper, listPapers } from '#modules/exam/index.ts'
import { addDraw, keepSeats, lastDraw, leavesOf, newDrawId, readHashes, readTree } from '../data/draw-record.repo.ts'
import { signupOf } from '../data/eligible.repo.ts'
import { ticketsOf } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { type DrawFacts, drawRecord } from '../domain/draw-record.ts'
import { withGroups } from '../domain/paper-group.ts'
import { needWhole } from './whole.ts'

const saltBytes = 16
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

const placeOf = (id: string) => ({ table: 'seat_draw', column: 'record_sealed', rowId: id })

/** Keeps what a draw was made from and what came of it. @returns the digest of the record */
export const keepDraw = async ({ services }: TicketContext, db: TenantDb, itemId: string, facts: DrawFacts): Promise<string> => {
  const salts = new Map(facts.sitters.map(({ signupId }) => [signupId, randomBytes(saltBytes).toString('hex')]))
  const record = drawRecord(facts, salts)
  const digest = sha256(record).toString('hex')
  const id = await newDrawId(db)
  const { examId, itemGroup, version, seedCommit } = facts
  const signNos = new Map(facts.sitters.map(({ signupId, signNo }) => [signupId, signNo]))
  // In the order of salts: the place of a seat says nothing about the person.
  const leaves = facts.placements
    .map(({ signupId, siteCode, roomNo, seatNo }) => {
      const [signNo, salt] = [signNos.get(signupId) ?? '', salts.get(signupId) ?? '']
      return { signupId, salt, leaf: seatLeafText({ examId, itemGroup, version, signNo, siteCode, roomNo, seatNo, salt }) }
    })
    .sort((a, b) => (a.salt < b.salt ? -1 : 1))
  const hashes: Uint8Array[] = []
  await inTurns(leaves, ({ leaf }) => void hashes.push(sha256(leafOf(leaf))))
  const levels = hashTree(hashes, sha256, pairOf)
  const seatRoot = Buffer.from(levels.at(-1) ?? []).toString('hex')
  const sealed = services.cipher.seal(db.actor.tenantId, placeOf(id), gzipSync(record).toString('base64'))
  await addDraw(db, { id, examId, itemId, version, people: facts.sitters.length, seedCommit, digest, seatRoot, sealed })
  await keepSeats(db, { examId, itemId, version }, levels, leaves)
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

/** What leads from the caller's own seats to the roots published with their draws, once the tickets are out. */
export const proveSeats = async (db: TenantDb, examId: string, userId: string): Promise<OutputOf<typeof getSeatProof> | Refusal> => {
  const signup = await signupOf(db, examId, userId)
  if (!signup) return refuse('kernel/not-found', {})
  const tickets = (await ticketsOf(db, [signup.id], 1)).filter(
    ({ ticketState }) => ticketState === 'released' || ticketState === 'downloaded',
  )
  if (tickets.length === 0) return refuseTicket('ticket/not-released', {})
  const papers = await listPapers(db, examId)
  const proofs: OutputOf<typeof getSeatProof> = []
  for (const { itemId, version, place, leaf } of await leavesOf(db, signup.id)) {
    const group = withGroups(papers, [itemId]).map(paper => paper.id)
    // Of a plan that was made anew or imported since, the draw says nothing.
    const seats = tickets.filter(ticket => group.includes(ticket.itemId) && ticket.allotVersion === version)
    const tree = seats.length === 0 ? undefined : await readTree(db, itemId)
    if (!tree) continue
    const [signNo = '', siteCode = '', roomNo = '', seat] = (leaf.split('\n')[2] ?? '').split('|')
    const seatNo = Number(seat)
    proofs.push({
      itemNames: seats.map(ticket => ticket.itemName),
      ...{ version, signNo, siteCode, roomNo, seatNo },
      isMoved: seats.some(ticket => ticket.siteCode !== siteCode || ticket.roomNo !== roomNo || Number(ticket.seatNo) !== seatNo),
      ...{ leaf, place, leaves: tree.leaves, root: tree.root },
      path: await readHashes(db, itemId, placesBeside(place, tree.leaves)),
    })
  }
  return proofs.length === 0 ? refuseTicket('ticket/no-seat-proof', {}) : proofs
}
