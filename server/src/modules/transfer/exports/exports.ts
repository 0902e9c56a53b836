import type { Static } from 'typebox'
import { refuse } from '#contract/kernel/errors.ts'
import type { exportJobView } from '#contract/kernel/export-job.ts'
import type { Label } from '#contract/kernel/label.ts'
import { mediaTypes } from '#contract/kernel/media-types.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseExport } from '#contract/transfer/export.errors.ts'
import { approveExport, cancelExport, downloadExport, exportApprovals, exportJob, exportJobs } from '#contract/transfer/export.routes.ts'
import { audit } from '#kernel/audit.ts'
import { streamArchive, streamWorkbook } from '#kernel/crud/export.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { isClosed, permitted } from '#kernel/http/access.ts'
import { reachOf, storeSession } from '#kernel/http/background.ts'
import {
  type ArchiveExport,
  type Ctx,
  type ExportApproval,
  type ExportPlan,
  type FileAnswer,
  type Handler,
  handle,
  Refused,
  type Session,
  sessionOf,
} from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import { writeZip } from '#kernel/zip.ts'
import { type FileModule, findFile } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import {
  cancelExportJob,
  countOpen,
  decideExport,
  type ExportJobRow,
  findExport,
  giveUpDead,
  insertExport,
  listApprovers,
  pageApprovals,
  pageExports,
} from '../data/export-job.repo.ts'
import { exportTasks, runTask } from './run-export.ts'

/** More rows than this are written in the background (decision 4.7); a tenant's parameter `export.asyncRows` may lower it. */
const inlineRows = 5_000
/** One that is written and five that wait, for each person (security 3.10). */
const maxOpen = 6
/** The page where approvals are given, and where one sees what became of one's own. */
const approvalsPath = '/examine/export'
/** A job tells every thousand rows that it lives; silent for so long, it died with its process. */
const deadMs = 2 * 60_000

/** Sends a personal message in the transaction of its cause. */
export type TellPerson = (
  db: TenantDb,
  message: { readonly userId: string; readonly title: Label; readonly content: Label; readonly link: string; readonly eventKey: string },
) => Promise<void>

export interface Exports {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /**
   * All handlers of the application, of which the exports are looked up by their route, and the way to tell people about approvals. Called once,
   * before anything is served.
   */
  readonly bind: (handlers: readonly Handler[], tell: TellPerson) => void
  readonly answer: (order: {
    readonly handler: Handler
    readonly ctx: Ctx
    readonly input: unknown
    readonly plan: ExportPlan
  }) => Promise<FileAnswer | Static<typeof exportJobView>>
}

/** The file of an archive that would hold nothing else. */
const loneFile = async ({ alone, total, archive }: ArchiveExport): Promise<FileAnswer | undefined> => {
  if (alone === undefined || total !== 1) return undefined
  for await (const entries of archive) {
    const [entry] = entries
    if (entry === undefined || !entry.name.endsWith(`.${alone}`)) return undefined
    const body = Buffer.isBuffer(entry.content) ? entry.content : await entry.content()
    return { body, mime: mediaTypes[alone], name: entry.name.split('/').at(-1) ?? entry.name }
  }
  return undefined
}

const kindOf = ({ route }: Handler): string => `${route.method} ${route.path}`

export const createExports = (
  services: Services,
  deps: {
    readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
    readonly file: Pick<FileModule, 'linkFor' | 'guard'>
  },
): Exports => {
  const known = new Map<string, Handler>()
  let tellPerson: TellPerson | undefined

  const limitOf = async (db: TenantDb): Promise<number> => {
    const value = (await deps.parametersOf(db, ['export.asyncRows']))['export.asyncRows'] ?? ''
    return /^\d{1,6}$/.test(value) ? Math.min(Number(value), inlineRows) : inlineRows
  }

  const view = (ctx: Ctx, job: ExportJobRow): Static<typeof exportJobView> => {
    const isOver = job.state === 4 && job.expiresAt !== null && job.expiresAt <= ctx.arrivedAt
    return {
      id: job.id,
      kind: job.kind,
      fileName: job.fileName,
      state: isOver ? 7 : job.state,
      total: job.total,
      done: job.done,
      sizeBytes: job.sizeBytes === null ? null : Number(job.sizeBytes),
      createTime: toWireTime(job.createdAt),
      endTime: job.endedAt && toWireTime(job.endedAt),
      expireTime: job.expiresAt && toWireTime(job.expiresAt),
      fileUrl:
        job.state === 4 && !isOver && job.fileId !== null && mayRead(sessionOf(ctx), job)
          ? deps.file.linkFor({ tenantId: ctx.tenantId, userId: job.createdBy }, job.fileId, ctx.arrivedAt)
          : null,
      problem: job.problemZh
        ? ctx.say({ zh: job.problemZh, en: job.problemEn ?? job.problemZh })
        : job.state === 8
          ? job.decidedRemark
          : null,
    }
  }

  /** The right of the export is asked for again: it may have been taken away since, or reach less far. */
  const whyNot = (session: Session, job: ExportJobRow): Refusal | undefined => {
    const route = known.get(job.kind)?.route
    if (route === undefined || !permitted(route.access, session) || isClosed(route, session)) return refuse('kernel/forbidden', {})
    return reachOf(session) === reachOf(job.session) ? undefined : refuseExport('export/rules-changed', {})
  }
  const mayRead = (session: Session, job: ExportJobRow): boolean => whyNot(session, job) === undefined

  const ownJob = async (ctx: Ctx, db: TenantDb, id: string): Promise<ExportJobRow> => {
    const job = await findExport(db, id)
    if (!job || job.createdBy !== sessionOf(ctx).userId) throw new Refused(refuse('kernel/not-found', {}))
    return job
  }
  const forgetDead = (ctx: Ctx, db: TenantDb): Promise<void> =>
    giveUpDead(db, sessionOf(ctx).userId, new Date(ctx.arrivedAt.getTime() - deadMs), {
      zh: '导出被中断，请重新导出',
      en: 'The export was interrupted; please start it again',
    })

  const enqueueRun = (db: TenantDb, job: { readonly id: string; readonly createdBy: string }): Promise<void> =>
    enqueue(db, runTask, { id: job.id }, { queue: `export-${job.createdBy}` })

  const askApprovers = async (db: TenantDb, session: Session, id: string, { right, what, reason }: ExportApproval): Promise<void> => {
    for (const userId of await listApprovers(db, right, session.userId))
      await tellPerson?.(db, {
        userId,
        title: { zh: '有一项导出等待审批', en: 'An export waits for approval' },
        content: { zh: `${session.realName}：${what.zh}。用途：${reason}`, en: `${session.realName}: ${what.en}. For: ${reason}` },
        link: approvalsPath,
        eventKey: `export.approval:${id}`,
      })
  }

  const order = async (ctx: Ctx, db: TenantDb, kind: string, input: unknown, plan: ExportPlan): Promise<{ id: string }> => {
    const session = sessionOf(ctx)
    await lock(db, `export|${session.userId}`)
    await forgetDead(ctx, db)
    const open = await countOpen(db, session.userId)
    if (open >= maxOpen) throw new Refused(refuseExport('export/too-many-open', { count: open }))
    const id = await insertExport(
      db,
      {
        kind,
        input: input as Readonly<Record<string, unknown>>,
        session: storeSession(session),
        language: ctx.language,
        fileName: plan.fileName,
        total: plan.total,
      },
      plan.approval,
    )
    if (plan.approval) await askApprovers(db, session, id, plan.approval)
    else await enqueueRun(db, { id, createdBy: session.userId })
    await audit(db, ctx, { ...plan.audit, after: { ...plan.audit.after, rows: plan.total, large: true, jobId: id } })
    return { id }
  }

  // A written workbook leaves by its link as it does by the call: asked for its right now, with its line.
  deps.file.guard('export_job', async (db, ctx, jobId) => {
    const job = await findExport(db, jobId)
    if (!job || job.createdBy !== ctx.session.userId) return refuse('kernel/not-found', {})
    const why = whyNot(ctx.session, job)
    if (!why) await audit(db, ctx, { action: 'export.downloaded', entity: 'export_job', entityId: jobId })
    return why
  })

  return {
    bind: (handlers, tell) => {
      tellPerson = tell
      for (const handler of handlers) if (handler.plan) known.set(kindOf(handler), handler)
    },
    answer: async ({ handler, ctx, input, plan }) => {
      if (!plan.approval && plan.total <= (plan.mostInline ?? (await ctx.tx(limitOf)))) {
        await ctx.tx(db => audit(db, ctx, { ...plan.audit, after: { ...plan.audit.after, rows: plan.total, large: false } }))
        if ('book' in plan) return streamWorkbook(plan.fileName, target => writeSheet(target, plan.book))
        if (plan.whole) return plan.whole()
        return (await loneFile(plan)) ?? streamArchive(plan.fileName, target => writeZip(target, plan.archive))
      }
      const kind = kindOf(handler)
      const { id } = await keyedCall<{ id: string }>(services.cipher, ctx, kind, input).once(db => order(ctx, db, kind, input, plan))
      return view(ctx, await ctx.tx(db => ownJob(ctx, db, id)))
    },
    handlers: [
      handle(exportJobs, async ({ ctx, db, input }) => {
        const { current, size, offset } = sliceOf(input)
        await forgetDead(ctx, db)
        const { rows, total } = await pageExports(db, sessionOf(ctx).userId, size, offset)
        return toPage(
          rows.map(row => view(ctx, row)),
          total,
          current,
          size,
        )
      }),
      handle(exportJob, async ({ ctx, db, input }) => {
        await forgetDead(ctx, db)
        return view(ctx, await ownJob(ctx, db, input.id))
      }),
      handle(cancelExport, async ({ ctx, db, input }) => {
        const job = await ownJob(ctx, db, input.id)
        const state = await cancelExportJob(db, job.id)
        if (state === undefined) return refuseExport('export/ended', {})
        await audit(db, ctx, { action: 'export.cancelled', entity: 'export_job', entityId: job.id })
        return { id: job.id, state }
      }),
      handle(downloadExport, async ({ ctx, input }) => {
        const file = await ctx.tx(async db => {
          const job = await ownJob(ctx, db, input.id)
          const why = whyNot(sessionOf(ctx), job)
          if (why) throw new Refused(why)
          const { state } = view(ctx, job)
          if (state === 7) throw new Refused(refuse('kernel/file-link', {}))
          const found = state === 4 && job.fileId !== null ? await findFile(db, job.fileId) : undefined
          if (!found) throw new Refused(refuseExport('export/not-ready', {}))
          await audit(db, ctx, { action: 'export.downloaded', entity: 'export_job', entityId: job.id, after: { rows: job.total } })
          return found
        })
        return {
          body: range => services.files.open(file.storageKey, range),
          mime: file.mime,
          name: file.name,
          sizeBytes: Number(file.sizeBytes),
          version: file.sha256,
        }
      }),
      handle(exportApprovals, async ({ ctx, db, input }) => {
        const session = sessionOf(ctx)
        const { current, size, offset } = sliceOf(input)
        const { rows, total } = await pageApprovals(db, [...session.permissions], size, offset)
        const shown = rows.map(({ whatZh, whatEn, createdBy, createdAt, ...row }) => ({
          ...row,
          what: ctx.say({ zh: whatZh, en: whatEn }),
          createTime: toWireTime(createdAt),
          isOwn: createdBy === session.userId,
        }))
        return toPage(shown, total, current, size)
      }),
      handle(approveExport, async ({ ctx, db, input }) => {
        const session = sessionOf(ctx)
        const job = await findExport(db, input.id)
        if (!job || job.approveRight === null || !session.permissions.has(job.approveRight)) return refuse('kernel/not-found', {})
        if (job.createdBy === session.userId) return refuseExport('export/own-approval', {})
        const isApproved = input.pass === 1
        const remark = input.remark?.trim() || null
        if (!isApproved && remark === null) return refuseExport('export/refuse-remark', {})
        if (!(await decideExport(db, job.id, isApproved, remark))) return refuseExport('export/decided', {})
        if (isApproved) await enqueueRun(db, job)
        await tellPerson?.(db, {
          userId: job.createdBy,
          title: isApproved
            ? { zh: '导出已获同意', en: 'Your export was approved' }
            : { zh: '导出未获同意', en: 'Your export was not approved' },
          content: {
            zh: [job.whatZh, remark].filter(Boolean).join('：'),
            en: [job.whatEn, remark].filter(Boolean).join(': '),
          },
          link: approvalsPath,
          eventKey: `export.decided:${job.id}`,
        })
        await audit(db, ctx, {
          action: isApproved ? 'export.approved' : 'export.refused',
          entity: 'export_job',
          entityId: job.id,
          after: { kind: job.kind, rows: job.total, askedBy: job.createdBy },
          ...(remark === null ? {} : { reason: remark }),
        })
        return { id: job.id, state: isApproved ? 0 : 8 }
      }),
    ],
    tasks: exportTasks(services, kind => known.get(kind)),
  }
}
