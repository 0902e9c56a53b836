import { refuse } from '#contract/kernel/errors.ts'
import { endOfWindow, fromWireTime } from '#contract/kernel/when.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import * as routes from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import { type Handler, handle, Refused } from '#kernel/http/context.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import { exportTicketFile, gateOf, recordDownload } from './commands/download.ts'
import { renewPrintedNotice } from './commands/renew-notice.ts'
import { signupOf } from './data/eligible.repo.ts'
import { findNotice, insertHealth, isHealthUploaded, isNoticeRead, markNoticeRead, saveNotice } from './data/notice.repo.ts'
import { ticketsOf } from './data/ticket.repo.ts'
import type { TicketContext } from './deps.ts'
import { noTicket } from './domain/gate.ts'
import { cleanNotice } from './domain/notice-text.ts'
import { isCandidate, me, viewNotice } from './views.ts'

/** The notice of a ticket and what its holder does with both: read, send health documents, download. */
export const holderHandlers = (context: TicketContext): readonly Handler[] => [
  handle(routes.getTicketNotice, async ({ ctx, input, db }) => {
    const view = await viewNotice(db, input.examId, input.itemId, isCandidate(ctx) ? me(ctx) : undefined)
    return view ?? refuse('kernel/not-found', {})
  }),

  handle(routes.saveTicketNotice, async ({ ctx, input, db }) => {
    if (!(await findExam(db, input.examId))) return refuse('kernel/not-found', {})
    const itemId = input.itemId ?? '0'
    if (itemId !== '0' && !(await listPapers(db, input.examId)).some(paper => paper.id === itemId)) return refuse('kernel/not-found', {})
    const instant = (text: string | null | undefined): Date | null => {
      if (text === null || text === undefined) return null
      const value = fromWireTime(text)
      if (!value) throw new Refused(refuse('kernel/invalid-input', {}))
      return value
    }
    const [downBegin, until] = [instant(input.downBegin), instant(input.downEnd)]
    const downEnd = until && endOfWindow(until)
    if (downBegin && downEnd && downEnd <= downBegin)
      return refuse(
        'kernel/invalid-input',
        {},
        {
          data: {
            fields: [{ field: 'downEnd', msg: ctx.say({ zh: '结束时间须晚于开始时间', en: 'The end must be after the beginning' }) }],
          },
        },
      )
    const before = await findNotice(db, input.examId, itemId)
    const isSaved = await saveNotice(
      db,
      {
        examId: input.examId,
        itemId,
        title: input.title,
        content: cleanNotice(input.content),
        downBegin,
        downEnd,
        needRead: input.needRead === 1,
        readSeconds: input.readSeconds ?? 10,
        isUpload: input.isUpload === 1,
        uploadKinds: input.uploadKinds ?? [],
        uploadHours: input.uploadHours ?? 48,
        needPromise: input.needPromise === 1,
      },
      input.version,
    )
    if (!isSaved) return refuse('kernel/changed-meanwhile', {})
    const view = await viewNotice(db, input.examId, itemId, undefined)
    if (!view) return refuse('kernel/not-found', {})
    const isPrinted = view.title !== before?.title || view.content !== before?.content
    const renewed = isPrinted ? await renewPrintedNotice(db, { examId: input.examId, itemId, noticeId: view.id, version: view.version }) : 0
    await audit(db, ctx, {
      action: 'ticket-notice.saved',
      entity: 'ticket_notice',
      entityId: view.id,
      before: before ?? null,
      after: { ...view, renewed },
    })
    return view
  }),

  handle(routes.readTicketNotice, async ({ ctx, input, db }) => {
    if (!(await signupOf(db, input.examId, me(ctx)))) return refuse('kernel/not-found', {})
    if (await markNoticeRead(db, input.examId, me(ctx)))
      await audit(db, ctx, { action: 'ticket-notice.read', entity: 'examination', entityId: input.examId })
    return { read: true }
  }),

  handle(routes.exportTicket, ({ ctx, input }) => exportTicketFile(context, ctx, { id: input.id, type: input.type })),

  handle(routes.saveTicketDownInfo, async ({ ctx, input }) => {
    const rows = await ctx.tx(async db => {
      const own = await signupOf(db, input.eid, me(ctx))
      if (!own) throw new Refused(noTicket())
      const all = await ticketsOf(db, [own.id], input.type)
      const refusal = await gateOf(db, { examId: input.eid, signupId: own.id, userId: me(ctx), type: input.type, rows: all }, ctx.arrivedAt)
      if (refusal) throw new Refused(refusal)
      const named = all.filter(row => row.itemId === input.itemId && row.ticketState !== 'void')
      if (named.length === 0) throw new Refused(noTicket())
      return named
    })
    const recorded = await ctx.asSystem('the record of a download is kept by the server, the candidate cannot write tickets', db =>
      recordDownload(db, ctx, rows),
    )
    return { recorded: recorded > 0 }
  }),

  handle(routes.savePicAndDownInfo, async ({ ctx, input }) => {
    const type = input.type ?? 1
    const rows = await ctx.tx(async db => {
      const own = await signupOf(db, input.examId, me(ctx))
      if (!own) throw new Refused(noTicket())
      const notice = await findNotice(db, input.examId)
      const wanted = ctx.files.filter(file => notice?.uploadKinds.includes(file.part))
      if (notice?.isUpload !== true || wanted.length === 0) throw new Refused(refuseTicket('ticket/no-upload', {}))
      const all = await ticketsOf(db, [own.id], type)
      const named = all.filter(row => row.itemId === input.itemId && row.ticketState !== 'void')
      if (named.length === 0) throw new Refused(noTicket())
      const stored = new Map<string, string>()
      for (const file of wanted) {
        const kept = await context.file.keepUpload(db, {
          file,
          userId: me(ctx),
          ownerKind: 'ticket_health',
          ownerId: own.id,
          purpose: 'image',
        })
        stored.set(file.part, kept.id)
      }
      const files = { jkm: stored.get('jkm') ?? null, xcm: stored.get('xcm') ?? null, hsjcbg: stored.get('hsjcbg') ?? null }
      await insertHealth(db, { examId: input.examId, itemId: input.itemId, userId: me(ctx), files })
      await audit(db, ctx, {
        action: 'ticket-health.stored',
        entity: 'examination',
        entityId: input.examId,
        after: { kinds: [...stored.keys()] },
      })
      const refusal = await gateOf(db, { examId: input.examId, signupId: own.id, userId: me(ctx), type, rows: all }, ctx.arrivedAt)
      return { named: refusal ? [] : named, done: await isHealthUploaded(db, input.examId, me(ctx), notice.uploadKinds) }
    })
    const recorded = await ctx.asSystem('the record of a download is kept by the server, the candidate cannot write tickets', db =>
      recordDownload(db, ctx, rows.named),
    )
    return { recorded: recorded > 0, done: rows.done }
  }),

  handle(routes.getTicketNoticeIsUpload, async ({ ctx, input, db }) => {
    const view = await viewNotice(db, input.examId, undefined, me(ctx))
    if (!view) return refuse('kernel/not-found', {})
    return {
      isUpload: view.isUpload,
      kinds: view.uploadKinds,
      uploadHours: view.uploadHours,
      done: !view.isUpload || (await isHealthUploaded(db, input.examId, me(ctx), view.uploadKinds)),
      content: view.content,
      needRead: view.needRead,
      readSeconds: view.readSeconds,
      read: await isNoticeRead(db, input.examId, me(ctx)),
    }
  }),
]
