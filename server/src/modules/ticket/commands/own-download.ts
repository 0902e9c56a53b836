import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { type HealthKind, healthKinds, healthNames } from '#contract/ticket/health-kinds.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import type { savePicAndDownInfo, saveTicketDownInfo } from '#contract/ticket/ticket.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { signupOf } from '../data/eligible.repo.ts'
import { findNotice, insertHealth, isHealthUploaded, listHealthKinds } from '../data/notice.repo.ts'
import { type TicketRow, type TicketType, ticketsOf } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { noTicket } from '../domain/download-refusal.ts'
import { me } from '../views.ts'
import { recordDownload, whyNoDownload } from './download.ts'

const record = (ctx: Ctx, rows: readonly TicketRow[]): Promise<number> =>
  ctx.asSystem('the record of a download is kept by the server, the candidate cannot write tickets', db => recordDownload(db, ctx, rows))

const ownSignup = async (ctx: Ctx, db: TenantDb, examId: string) => {
  const own = await signupOf(db, examId, me(ctx))
  if (!own) throw new Refused(noTicket())
  return own
}

/** The caller's tickets of a paper, and why the download of their kind is refused. */
const ownTickets = async (
  ctx: Ctx,
  db: TenantDb,
  of: { readonly examId: string; readonly itemId: string; readonly type: TicketType; readonly signupId: string },
) => {
  const { examId, itemId, type, signupId } = of
  const all = await ticketsOf(db, [signupId], type)
  return {
    named: all.filter(row => row.itemId === itemId && row.ticketState !== 'void'),
    refusal: () => whyNoDownload(db, { examId, signupId, userId: me(ctx), type, rows: all }, ctx.arrivedAt),
  }
}

/** Records that the caller has downloaded the ticket. */
export const recordOwnDownload = async (ctx: Ctx, { eid: examId, itemId, type }: InputOf<typeof saveTicketDownInfo>) => {
  const rows = await ctx.tx(async db => {
    const { id: signupId } = await ownSignup(ctx, db, examId)
    const { named, refusal } = await ownTickets(ctx, db, { examId, itemId, type, signupId })
    const why = await refusal()
    if (why) throw new Refused(why)
    if (named.length === 0) throw new Refused(noTicket())
    return named
  })
  return { recorded: (await record(ctx, rows)) > 0 }
}

/** Documents older than the notice allows are not taken. A minute ahead is a clock that runs fast. */
const issuedOf = (reportTime: string | undefined, hours: number, now: Date): Date => {
  if (reportTime === undefined) return now
  const issued = fromWireTime(reportTime)
  if (!issued) throw new Refused(refuse('kernel/invalid-input', {}))
  if (issued.getTime() > now.getTime() + 60_000) throw new Refused(refuseTicket('ticket/report-ahead', {}))
  if (issued.getTime() < now.getTime() - hours * 3_600_000) throw new Refused(refuseTicket('ticket/report-old', { hours }))
  return issued
}

/** Keeps the health documents that came with the call, and records the download where nothing is left against it. */
export const sendHealth = async (
  context: TicketContext,
  ctx: Ctx,
  { examId, itemId, type = 1, reportTime }: InputOf<typeof savePicAndDownInfo>,
) => {
  const { named, done } = await ctx.tx(async db => {
    const own = await ownSignup(ctx, db, examId)
    const notice = await findNotice(db, examId)
    const wanted = ctx.files.filter(file => notice?.uploadKinds.includes(file.part))
    if (notice?.isUpload !== true || wanted.length === 0) throw new Refused(refuseTicket('ticket/no-upload', {}))
    const issuedAt = issuedOf(reportTime, notice.uploadHours, ctx.arrivedAt)
    // What was sent before stays; with it the documents have to be whole, or the call would keep one and record nothing.
    const sent: readonly string[] = [...(await listHealthKinds(db, examId, me(ctx))), ...wanted.map(file => file.part)]
    const missing = (Object.keys(healthKinds) as HealthKind[]).filter(kind => notice.uploadKinds.includes(kind) && !sent.includes(kind))
    if (missing.length > 0) throw new Refused(refuseTicket('ticket/health-missing', { names: healthNames(missing) }))
    const tickets = await ownTickets(ctx, db, { examId, itemId, type, signupId: own.id })
    if (tickets.named.length === 0) throw new Refused(noTicket())
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
    await insertHealth(db, { examId, itemId, userId: me(ctx), files, issuedAt, ip: ctx.ip })
    await audit(db, ctx, {
      action: 'ticket-health.stored',
      entity: 'examination',
      entityId: examId,
      after: { kinds: [...stored.keys()] },
    })
    const why = await tickets.refusal()
    return { named: why ? [] : tickets.named, done: await isHealthUploaded(db, examId, me(ctx), notice.uploadKinds) }
  })
  return { recorded: (await record(ctx, named)) > 0, done }
}
