import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { can, step } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type {
  accommodationList,
  askAccommodation,
  decideAccommodation,
  myAccommodation,
  withdrawAccommodation,
} from '#contract/ticket/accommodation.routes.ts'
import { type AccommodationState, accommodationMachine, stateOfAccommodation } from '#contract/ticket/accommodation.state.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import {
  type AccommodationRow,
  accommodationOf,
  addAccommodation,
  hasSeat,
  lockAccommodation,
  newAccommodationId,
  pageAccommodations,
} from '../data/accommodation.repo.ts'
import { signupOf } from '../data/eligible.repo.ts'
import type { TicketContext } from '../deps.ts'
import { me } from '../views.ts'
import { renewTicketsOf } from './change.ts'

const wire = (state: AccommodationState): number => accommodationMachine.wire[state]

/** Says something about somebody's health. */
export const sealedReason = ({ services }: Pick<TicketContext, 'services'>, tenantId: string, id: string, reason: string): Buffer =>
  services.cipher.seal(tenantId, reasonPlace(id), reason)
const reasonPlace = (id: string) => ({ table: 'accommodation', column: 'reason_sealed', rowId: id })
const reasonOf = ({ services }: TicketContext, tenantId: string, row: AccommodationRow): string =>
  row.reasonSealed ? services.cipher.open(tenantId, reasonPlace(row.id), row.reasonSealed) : (row.plainReason ?? '')

const ownSignup = async (ctx: Ctx, db: TenantDb, examId: string): Promise<string> => {
  const own = await signupOf(db, examId, me(ctx))
  if (!own) throw new Refused(refuse('kernel/not-found', {}))
  return own.id
}

const asOwner = <T>(ctx: Ctx, run: (db: TenantDb) => Promise<T>): Promise<T> =>
  ctx.asSystem('requests are kept by the server, so that nobody grants their own; seats are not seen before their release', run)

/** What the caller asked for, and whether they still can. A seat that is drawn counts before it is released, when they do not see it yet. */
export const readOwnAccommodation = async (context: TicketContext, ctx: Ctx, { examId }: InputOf<typeof myAccommodation>) => {
  const signupId = await ctx.tx(db => ownSignup(ctx, db, examId))
  return asOwner(ctx, async db => {
    const row = await accommodationOf(db, signupId)
    const isSeated = await hasSeat(db, signupId)
    return {
      mayAsk: !isSeated && (row === undefined || can(accommodationMachine, row.state, 'ask')),
      asked: row
        ? {
            ...{ kinds: [...row.kinds], reason: reasonOf(context, ctx.tenantId, row), state: wire(row.state) },
            ...{ extraMinutes: row.extraMinutes, remark: row.remark },
            hasProof: row.proofFileId !== null,
          }
        : null,
    }
  })
}

/** Asks, or asks again after a refusal or a withdrawal. Seats that are drawn already do not move for it: the office helps then. */
export const ask = async (context: TicketContext, ctx: Ctx, input: InputOf<typeof askAccommodation>) => {
  const signupId = await ctx.tx(db => ownSignup(ctx, db, input.examId))
  return asOwner(ctx, async db => {
    await lock(db, `accommodation|${signupId}`)
    if (await hasSeat(db, signupId)) throw new Refused(refuseTicket('ticket/accommodation-late', {}))
    const before = await accommodationOf(db, signupId)
    if (before && !can(accommodationMachine, before.state, 'ask')) throw new Refused(refuseTicket('ticket/accommodation-asked', {}))
    const [file] = ctx.files
    const proofFileId = file
      ? (
          await context.file.keepUpload(db, {
            ...{ file, userId: me(ctx), ownerKind: 'accommodation', ownerId: signupId, purpose: 'document' },
          })
        ).id
      : before?.proofFileId
    if (!proofFileId) throw new Refused(refuseField('proof', { zh: '请上传证明材料', en: 'Please add a proof' }))
    const kinds = [...new Set(input.kinds.split(','))]
    const id = before?.id ?? (await newAccommodationId(db))
    const reasonSealed = sealedReason(context, ctx.tenantId, id, input.reason.trim())
    if (before) {
      const set = {
        kinds: JSON.stringify(kinds),
        reason: null,
        reason_sealed: reasonSealed,
        proof_file_id: proofFileId,
        extra_minutes: null,
        remark: null,
        decided_by: null,
        decided_at: null,
      }
      if (!(await transition(db, 'accommodation', before.id, { from: before.state, to: 'asked' }, set)))
        throw new Refused(refuse('kernel/changed-meanwhile', {}))
    } else await addAccommodation(db, { id, examId: input.examId, signupId, userId: me(ctx), kinds, reasonSealed, proofFileId })
    await audit(db, ctx, { action: 'accommodation.asked', entity: 'signup', entityId: signupId, after: { kinds } })
    return { id, state: wire('asked') }
  })
}

/** Takes the request back, also one that was granted. */
export const withdraw = async (ctx: Ctx, { examId }: InputOf<typeof withdrawAccommodation>) => {
  const signupId = await ctx.tx(db => ownSignup(ctx, db, examId))
  return asOwner(ctx, async db => {
    const row = await accommodationOf(db, signupId)
    if (!row) throw new Refused(refuse('kernel/not-found', {}))
    const to = step(accommodationMachine, row.state, 'withdraw')
    if (to === undefined) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    if (!(await transition(db, 'accommodation', row.id, { from: row.state, to }))) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    await audit(db, ctx, { action: 'accommodation.withdrawn', entity: 'signup', entityId: signupId, before: { state: row.state } })
    if (row.state === 'granted') await renewTicketsOf(db, [signupId])
    return { id: row.id, state: wire(to) }
  })
}

/** The requests of an examination, those that wait first. */
export const listAccommodations = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof accommodationList>) => {
  if (!(await findExam(db, input.examId))) return refuse('kernel/not-found', {})
  const { current, size, offset, state, examId, keyword } = sliceOf(input)
  const filter = { examId, keyword, state: state === undefined ? undefined : stateOfAccommodation(state) }
  const { rows, total } = await pageAccommodations(db, filter, { size, offset })
  const reader = { tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }
  const records = rows.map(row => ({
    ...{ id: row.id, signNo: row.signNo, name: row.name, codeName: row.codeName, kinds: [...row.kinds] },
    reason: reasonOf(context, ctx.tenantId, row),
    proof: row.proofFileId === null ? null : context.file.linkFor(reader, row.proofFileId, ctx.arrivedAt),
    ...{ state: wire(row.state), extraMinutes: row.extraMinutes, remark: row.remark, version: row.version },
    askedTime: toWireTime(row.askedAt),
    decidedTime: row.decidedAt === null ? null : toWireTime(row.decidedAt),
  }))
  return toPage(records, total, current, size)
}

/** Grants or refuses. Who asked for extra time is told how much it is; a refusal says why. */
export const decideAsked = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof decideAccommodation>) => {
  const row = await lockAccommodation(db, input.id)
  if (!row) return refuse('kernel/not-found', {})
  if (input.version !== undefined && input.version !== row.version) return refuse('kernel/changed-meanwhile', {})
  const isGranted = input.outcome === 1
  const to = step(accommodationMachine, row.state, isGranted ? 'grant' : 'refuse')
  if (to === undefined) return refuseTicket('ticket/accommodation-decided', {})
  const remark = (input.remark ?? '').trim()
  if (!isGranted && remark === '') return refuseField('remark', { zh: '请填写不同意的理由', en: 'Say why it is refused' })
  const minutes = isGranted && row.kinds.includes('time') ? input.extraMinutes : undefined
  if (isGranted && row.kinds.includes('time') && minutes === undefined)
    return refuseField('extraMinutes', { zh: '申请了延长时间，请填写延长的分钟数', en: 'Extra time was asked for: say how many minutes' })
  const set = { extra_minutes: minutes ?? null, remark: remark || null, decided_by: me(ctx), decided_at: db.now }
  if (!(await transition(db, 'accommodation', row.id, { from: row.state, to }, set))) return refuse('kernel/changed-meanwhile', {})
  await audit(db, ctx, {
    action: 'accommodation.decided',
    entity: 'signup',
    entityId: row.signupId,
    before: { state: row.state },
    after: { state: to, extraMinutes: minutes ?? null },
    ...(remark === '' ? {} : { reason: remark }),
  })
  // Sheets show what is granted: those that are made already are made anew.
  if (isGranted || row.state === 'granted') await renewTicketsOf(db, [row.signupId])
  const extra =
    minutes === undefined ? { zh: '', en: '' } : { zh: `考试时间延长 ${minutes} 分钟。`, en: ` You have ${minutes} extra minutes.` }
  const said = remark === '' ? { zh: '', en: '' } : { zh: `说明：${remark}。`, en: ` The office says: ${remark}` }
  await context.message.notify(db, {
    userId: row.userId,
    examId: row.examId,
    kind: 3,
    title: isGranted
      ? { zh: '合理便利申请已同意', en: 'Your request for help is granted' }
      : { zh: '合理便利申请未同意', en: 'Your request for help is refused' },
    content: isGranted
      ? {
          zh: `您的合理便利申请已同意，编排考场时会予以安排。${extra.zh}${said.zh}`,
          en: `Your request is granted and will be seen to when seats are allotted.${extra.en}${said.en}`,
        }
      : {
          zh: `您的合理便利申请未获同意。${said.zh}如有异议请联系考务。`,
          en: `Your request is refused.${said.en} Please contact the office with questions.`,
        },
    link: '/signup/ticket',
    eventKey: `accommodation:${row.id}:${row.version + 1}`,
  })
  return { id: row.id, state: wire(to) }
}
