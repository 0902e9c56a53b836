import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type FileAnswer, Refused } from '#kernel/http/context.ts'
import { PdfBusyError } from '#kernel/pdf/pool.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import { downloadedSince, fileOfTicket, findSignup, insertDownload } from '../data/download.repo.ts'
import { standingOf } from '../data/eligible.repo.ts'
import { findNotice, isHealthUploaded, isNoticeRead, type NoticeRow } from '../data/notice.repo.ts'
import { type TicketRow, type TicketType, ticketsBehind } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { downloadRefusal, noTicket } from '../domain/download-refusal.ts'
import { typeOfPaper } from '../domain/paper-group.ts'
import { renderPeople } from './render.ts'

/** A second record of the same paper within this time is the same download told twice. */
const sameDownloadMs = 10_000

/** The first reason against a download of these tickets by their owner; rows are all of one person and type. */
export const whyNoDownload = async (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly signupId: string
    readonly userId: string
    readonly type: TicketType
    readonly rows: readonly TicketRow[]
  },
  now: Date,
): Promise<Refusal | undefined> => {
  const exam = await findExam(db, of.examId)
  const standing = await standingOf(db, of.signupId)
  if (!exam || !standing) return noTicket()
  const notice: NoticeRow | undefined = await findNotice(db, of.examId)
  return downloadRefusal(
    {
      states: of.rows.map(row => ({ state: row.ticketState, isReleased: row.releasedAt !== null })),
      seat: standing,
      isPaperReleased: (await listPapers(db, of.examId)).some(
        paper => paper.ticketState === 'released' && typeOfPaper(paper) === of.type && standing.itemIds.includes(paper.id),
      ),
      begin: notice?.downBegin ?? (of.type === 1 ? exam.ticketBegin : exam.msTicketBegin),
      end: notice?.downEnd ?? (of.type === 1 ? exam.ticketEnd : exam.msTicketEnd),
      needRead: notice?.needRead === true,
      isRead: notice?.needRead === true && (await isNoticeRead(db, of.examId, of.userId)),
      needUpload: notice?.isUpload === true,
      isUploaded: notice?.isUpload === true && (await isHealthUploaded(db, of.examId, of.userId, notice.uploadKinds)),
    },
    now,
  )
}

/**
 * Answers the pre-rendered file of a person. A candidate passes the guards 2306–2310 and 2312 of domain 4.12 and the download is
 * recorded here, so that a lost second call loses nothing; staff print without a record.
 */
export const exportTicketFile = async (
  context: TicketContext,
  ctx: Ctx,
  input: { readonly id: string; readonly type: TicketType | undefined },
): Promise<FileAnswer | Refusal> => {
  const isCandidate = ctx.session?.userType === 2
  const found = await ctx.tx(async db => {
    const rows = await ticketsBehind(db, input.id, input.type)
    const [first] = rows
    if (first) {
      const refusal = isCandidate ? await whyNoDownload(db, { ...first, rows }, ctx.arrivedAt) : undefined
      return refusal ?? rows
    }
    // Row policies hide unreleased tickets; an own sign-up without any is told so, everything else does not exist.
    const own = await findSignup(db, input.id)
    if (!own) return noTicket()
    return isCandidate
      ? ((await whyNoDownload(db, { ...own, signupId: input.id, type: input.type ?? 1, rows: [] }, ctx.arrivedAt)) ?? noTicket())
      : refuseTicket('ticket/not-released', {})
  })
  if (isRefusal(found)) return found
  const live = found.filter(row => row.ticketState === 'released' || row.ticketState === 'downloaded')
  const [first] = live
  if (!first) return refuseTicket(found.some(row => row.ticketState === 'void') ? 'ticket/void' : 'ticket/not-released', {})
  const bytes = await fileOf(context, ctx, first, live)
  if (isCandidate)
    await ctx.asSystem('the record of a download is kept by the server, the candidate cannot write tickets', db =>
      recordDownload(db, ctx, live),
    )
  else
    await ctx.tx(db =>
      audit(db, ctx, { action: 'ticket.printed', entity: 'ticket', entityId: first.id, after: { people: 1, ticketNo: first.ticketNo } }),
    )
  return {
    body: bytes,
    mime: 'application/pdf',
    name: `${first.type === 1 ? '准考证' : '面试准考证'}_${first.ticketNo}_${first.name}.pdf`,
    sizeBytes: bytes.length,
  }
}

/** The stored file; made on the spot when the queue has not come to it yet. */
const fileOf = async (context: TicketContext, ctx: Ctx, first: TicketRow, live: readonly TicketRow[]): Promise<Buffer> => {
  const read = (fileId: string): Promise<Buffer> =>
    ctx.asSystem('the file was stored by the server in the name of its owner', async db => {
      const file = await context.file.find(db, fileId)
      if (!file) throw new Error(`the file of ticket ${first.id} is gone`)
      return context.file.read(file)
    })
  const ready = live.every(row => row.pdfFileId !== null) ? first.pdfFileId : null
  if (ready !== null) return read(ready)
  try {
    await renderPeople(context, ctx.tenantId, { examId: first.examId, type: first.type, signupIds: [first.signupId], itemIds: [] })
  } catch (error) {
    if (error instanceof PdfBusyError) throw new Refused(refuseTicket('ticket/busy', {}, { retryAfterSeconds: 5 }))
    throw error
  }
  const made = await ctx.asSystem('the rows were rendered a moment ago', db => fileOfTicket(db, first.id))
  if (!made) throw new Refused(refuseTicket('ticket/glyphs', { count: 1 }))
  return read(made)
}

/** One record per paper; a repetition within ten seconds is none. @returns papers recorded */
export const recordDownload = async (db: TenantDb, ctx: Ctx, rows: readonly TicketRow[]): Promise<number> => {
  const [first] = rows
  if (!first) return 0
  await lock(db, `ticket-down|${first.signupId}`)
  const since = new Date(db.now.getTime() - sameDownloadMs)
  const recent = await downloadedSince(db, first, since)
  const fresh = rows.filter(row => !recent.has(row.itemId))
  const isPhone = /Mobile|Android|iPhone|MicroMessenger/i.test(ctx.userAgent)
  for (const row of fresh) await insertDownload(db, row, { ip: ctx.ip, userAgent: ctx.userAgent, isPhone })
  if (fresh.length > 0)
    await audit(db, ctx, {
      action: 'ticket.downloaded',
      entity: 'ticket',
      entityId: first.id,
      after: { ticketNo: first.ticketNo, papers: fresh.length },
    })
  return fresh.length
}
