import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { endOfWindow, fromWireTime } from '#contract/kernel/when.ts'
import type { getTicketNotice, saveTicketNotice } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import { signupOf } from '../data/eligible.repo.ts'
import { findNotice, isHealthUploaded, isNoticeRead, markNoticeRead, saveNotice } from '../data/notice.repo.ts'
import { cleanNotice } from '../domain/notice-text.ts'
import { isCandidate, me, viewNotice } from '../views.ts'
import { renewPrintedNotice } from './renew-notice.ts'

/** The notice of a ticket as its reader sees it. */
export const readNotice = async (ctx: Ctx, db: TenantDb, { examId, itemId }: InputOf<typeof getTicketNotice>) =>
  (await viewNotice(db, examId, itemId, isCandidate(ctx) ? me(ctx) : undefined)) ?? refuse('kernel/not-found', {})

/** Stores the notice; what is printed on tickets is printed anew where it changed. */
export const saveNoticeOf = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof saveTicketNotice>) => {
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
}

/** Its holder has read it. */
export const confirmRead = async (ctx: Ctx, db: TenantDb, examId: string) => {
  if (!(await signupOf(db, examId, me(ctx)))) return refuse('kernel/not-found', {})
  if (await markNoticeRead(db, examId, me(ctx)))
    await audit(db, ctx, { action: 'ticket-notice.read', entity: 'examination', entityId: examId })
  return { read: true }
}

/** What the notice asks of its holder before a download, and what of it is done. */
export const readDemands = async (ctx: Ctx, db: TenantDb, examId: string) => {
  const view = await viewNotice(db, examId, undefined, me(ctx))
  if (!view) return refuse('kernel/not-found', {})
  return {
    isUpload: view.isUpload,
    kinds: view.uploadKinds,
    uploadHours: view.uploadHours,
    done: !view.isUpload || (await isHealthUploaded(db, examId, me(ctx), view.uploadKinds)),
    content: view.content,
    needRead: view.needRead,
    readSeconds: view.readSeconds,
    read: await isNoticeRead(db, examId, me(ctx)),
  }
}
