import { paperTicketWire } from '#contract/exam/exam.state.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { findTicketItems } from '#contract/ticket/ticket.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findExam, listPapers, type PaperRow } from '#modules/exam/index.ts'
import { whyNoDownload } from './commands/download.ts'
import { countEligible, signupOf, standingOf } from './data/eligible.repo.ts'
import { findNotice } from './data/notice.repo.ts'
import { countByItem, ticketsOf } from './data/ticket.repo.ts'
import { roomsOfGroup, typeOfPaper, withGroups } from './domain/paper-group.ts'
import { capacityOf, type Room } from './domain/room.ts'
import { seatBar } from './domain/seat-bar.ts'
import { isCandidate, me } from './views.ts'

/** What everybody sees of a paper whose tickets are made. */
const viewPaper = (paper: PaperRow, now: Date, needUpload: boolean) => ({
  itemId: paper.id,
  itemName: paper.itemName,
  itemCode: paper.itemCode,
  itemType: paper.itemType,
  seatGroup: paper.seatGroup,
  startTime: toWireTime(paper.startTime),
  endTime: toWireTime(paper.endTime),
  ticketState: paperTicketWire[paper.ticketState === 'released' && paper.endTime <= now ? 'ended' : paper.ticketState],
  allotVersion: paper.allotVersion,
  seedCommit: paper.seedCommit,
  seedReveal: paper.seedReveal,
  needUpload,
})

/** The papers with how far their tickets have come: who is entitled, what is made, released and downloaded, which seats there are. */
const papersOfStaff = async (db: TenantDb, ctx: Ctx, examId: string, papers: readonly PaperRow[]) => {
  const [notice, eligible, counted] = await Promise.all([findNotice(db, examId), countEligible(db, examId), countByItem(db, examId)])
  const counts = new Map(counted.map(row => [row.itemId, row]))
  return papers.map(paper => {
    const count = counts.get(paper.id)
    const rooms = roomsOfGroup(withGroups(papers, [paper.id])) as readonly Room[]
    return {
      ...viewPaper(paper, ctx.arrivedAt, notice?.isUpload === true),
      eligible: eligible.get(paper.id) ?? 0,
      generated: count?.generated ?? 0,
      released: count?.released ?? 0,
      downloaded: count?.downloaded ?? 0,
      rendered: count?.rendered ?? 0,
      rooms: rooms.length,
      seats: rooms.reduce((sum, room) => sum + capacityOf(room), 0),
      canDownload: paper.ticketState === 'released',
      reason: null,
    }
  })
}

/** The papers a candidate sits, and why a ticket cannot be had yet. */
const papersOfHolder = async (db: TenantDb, ctx: Ctx, examId: string, papers: readonly PaperRow[]) => {
  const userId = me(ctx)
  const own = await signupOf(db, examId, userId)
  const standing = own && (await standingOf(db, own.id))
  if (!own || !standing) return []
  const notice = await findNotice(db, examId)
  const reasons = new Map<1 | 2, string | null>()
  const held = new Map<1 | 2, ReadonlySet<string>>()
  for (const type of [1, 2] as const) {
    const rows = await ticketsOf(db, [own.id], type)
    const refusal = await whyNoDownload(db, { examId, signupId: own.id, userId, type, rows }, ctx.arrivedAt)
    reasons.set(type, refusal ? ctx.say(refusal.text) : null)
    held.set(type, new Set(rows.filter(row => row.ticketState !== 'void').map(row => row.itemId)))
  }
  return papers
    .filter(paper => standing.itemIds.includes(paper.id))
    .map(paper => {
      const type = typeOfPaper(paper)
      const hasTicket = held.get(type)?.has(paper.id) === true
      const reason = reasons.get(type) ?? (hasTicket ? null : ctx.say(refuseTicket('ticket/not-released', {}).text))
      return {
        ...viewPaper(paper, ctx.arrivedAt, notice?.isUpload === true),
        canDownload: reason === null,
        reason,
        isEntitled: seatBar(standing) === undefined,
      }
    })
}

/** The papers of an examination with their tickets, as staff or their holder see them. */
export const listTicketPapers = async (ctx: Ctx, db: TenantDb, { examId, type }: InputOf<typeof findTicketItems>) => {
  const exam = await findExam(db, examId)
  if (!exam) return refuse('kernel/not-found', {})
  const papers = (await listPapers(db, exam.id)).filter(paper => type === undefined || typeOfPaper(paper) === type)
  return isCandidate(ctx) ? papersOfHolder(db, ctx, exam.id, papers) : papersOfStaff(db, ctx, exam.id, papers)
}
