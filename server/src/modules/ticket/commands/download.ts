import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, type FileAnswer, Refused } from '#kernel/http/context.ts'
import { PdfBusyError } from '#kernel/pdf/pool.ts'
import { findExam } from '#modules/exam/index.ts'
import { standingOf } from '../data/eligible.repo.ts'
import { findNotice, isHealthUploaded, isNoticeRead, type NoticeRow } from '../data/notice.repo.ts'
import { type TicketRow, type TicketType, ticketsBehind } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { downloadRefusal, noTicket } from '../domain/gate.ts'
import { renderPeople } from './render.ts'

/** A second record of the same paper within this time is the same download told twice. */
const sameDownloadMs = 10_000

/** The first reason against a download of these tickets by their owner; rows are all of one person and type. */
export const gateOf = async (
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
      isEligible: standing.isEligible,
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
      const refusal = isCandidate ? await gateOf(db, { ...first, rows }, ctx.arrivedAt) : undefined
      return refusal ?? rows
    }
    // Row policies hide unreleased tickets; an own sign-up without any is told so, everything else does not exist.
    const own = await db.maybe(sql<{ examId: string; userId: string }>`
      select exam_id::text as "examId", user_id::text as "userId" from signup where id = ${input.id} and not is_deleted`)
    if (!own) return noTicket()
    return isCandidate
      ? ((await gateOf(db, { ...own, signupId: input.id, type: input.type ?? 1, rows: [] }, ctx.arrivedAt)) ?? noTicket())
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
  const made = await ctx.asSystem('the rows were rendered a moment ago', db =>
    db.maybe(sql<{ fileId: string | null }>`select pdf_file_id::text as "fileId" from ticket where id = ${first.id}`),
  )
  if (!made?.fileId) throw new Refused(refuseTicket('ticket/glyphs', { count: 1 }))
  return read(made.fileId)
}

/** One record per paper; a repetition within ten seconds is none. @returns papers recorded */
export const recordDownload = async (db: TenantDb, ctx: Ctx, rows: readonly TicketRow[]): Promise<number> => {
  const [first] = rows
  if (!first) return 0
  await lock(db, `ticket-down|${first.signupId}`)
  const since = new Date(db.now.getTime() - sameDownloadMs)
  const recent = new Set(
    (
      await db.all(sql<{ itemId: string }>`
        select item_id::text as "itemId" from ticket_down where exam_id = ${first.examId} and signup_id = ${first.signupId} and type = ${first.type} and created_at > ${since}`)
    ).map(row => row.itemId),
  )
  const fresh = rows.filter(row => !recent.has(row.itemId))
  const isPhone = /Mobile|Android|iPhone|MicroMessenger/i.test(ctx.userAgent)
  for (const row of fresh) {
    await db.run(sql`
      insert into ticket_down (tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, ip, user_agent, client)
      values (${db.actor.tenantId}, ${row.examId}, ${row.itemId}, ${row.signupId}, ${row.userId}, ${row.type}, ${row.ticketNo}, ${ctx.ip}, ${ctx.userAgent}, ${isPhone ? 2 : 1})`)
    await db.run(sql`
      update ticket set down_count = down_count + 1, first_down_time = coalesce(first_down_time, app_now()), updated_at = app_now(),
        ticket_state = case when ticket_state = 'released' then 'downloaded' else ticket_state end
      where id = ${row.id} and ticket_state in ('released', 'downloaded')`)
  }
  if (fresh.length > 0)
    await audit(db, ctx, {
      action: 'ticket.downloaded',
      entity: 'ticket',
      entityId: first.id,
      after: { ticketNo: first.ticketNo, papers: fresh.length },
    })
  return fresh.length
}
