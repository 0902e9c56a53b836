import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { can, step } from '#contract/kernel/machine.ts'
import { maskName } from '#contract/kernel/mask.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { askWaiver, decideWaiver, waiverList, withdrawWaiver } from '#contract/pay/waiver.routes.ts'
import { feeAfterWaiver, stateOfWaiver, type WaiverState, waiverMachine } from '#contract/pay/waiver.state.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { endAct, passAlone, twoPersonsOn } from '#kernel/two-persons.ts'
import { findExam } from '#modules/exam/index.ts'
import { listDuesWithMoney, lockDue } from '../data/due.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import {
  addWaiver,
  findWaiver,
  listOpenDues,
  listWaiverBases,
  lockWaiver,
  pageWaivers,
  type WaiverBasis,
  type WaiverRow,
  waiverOf,
  writeDueAmount,
  writeWaived,
} from '../data/waiver.repo.ts'
import type { PayKit } from '../deps.ts'
import { isSignupLive } from '../domain/payable.ts'
import { payTexts } from '../templates/notices.ts'
import { closeLiveOrder } from './close-order.ts'
import { mirror, tellFinance, tellOwner } from './news.ts'
import { settleSum } from './refund-sum.ts'

const wire = (state: WaiverState): number => waiverMachine.wire[state]
const factsOf = ({ kind, reason, state, percent, remark }: WaiverRow) => ({ kind, reason, state: wire(state), percent, remark })

const asOwner = <T>(ctx: Ctx, run: (db: TenantDb) => Promise<T>): Promise<T> =>
  ctx.asSystem('requests are kept by the server, so that nobody lets their own fee off', run)

/** Until payments end, and while the sign-up takes part. */
const isOpen = (basis: WaiverBasis, now: Date): boolean =>
  basis.takesWaivers && basis.examState === 'released' && isSignupLive(basis.examine) && (basis.payEnd === null || now < basis.payEnd)

/** The caller's examinations that let fees off. */
export const readOwnWaivers = (ctx: Ctx) =>
  asOwner(ctx, async db => {
    const list = []
    for (const basis of await listWaiverBases(db, sessionOf(ctx).userId)) {
      const row = await waiverOf(db, basis.signupId)
      const mayAsk = isOpen(basis, ctx.arrivedAt) && (row === undefined || can(waiverMachine, row.state, 'ask'))
      if (!mayAsk && row === undefined) continue
      const { examId, examName, payEnd } = basis
      list.push({ examId, examName, mayAsk, until: payEnd && toWireTime(payEnd), asked: row ? factsOf(row) : null })
    }
    return list
  })

/** Asks, or asks again after a refusal or a withdrawal; finance is told. */
export const askForWaiver = (kit: PayKit, ctx: Ctx, input: InputOf<typeof askWaiver>): Promise<{ id: string; state: number }> => {
  const { userId } = sessionOf(ctx)
  return asOwner(ctx, async db => {
    const [basis] = await listWaiverBases(db, userId, input.examId)
    if (!basis) throw new Refused(refuse('kernel/not-found', {}))
    const { signupId, examId, examName } = basis
    await lock(db, `fee-waiver|${signupId}`)
    if (!isOpen(basis, ctx.arrivedAt)) throw new Refused(refusePay('pay/waiver-closed', {}))
    const before = await waiverOf(db, signupId)
    if (before && !can(waiverMachine, before.state, 'ask')) throw new Refused(refusePay('pay/waiver-asked', {}))
    const [file] = ctx.files
    const kept =
      file && (await kit.deps.file.keepUpload(db, { file, userId, ownerKind: 'fee_waiver', ownerId: signupId, purpose: 'document' }))
    const proofFileId = kept?.id ?? before?.proofFileId
    if (proofFileId === undefined) throw new Refused(refuseField('proof', { zh: '请上传证明材料', en: 'Please add a proof' }))
    const { kind } = input
    const reason = input.reason.trim()
    let id = before?.id
    if (before) {
      const set = { kind, reason, proof_file_id: proofFileId, remark: null, decided_by: null, decided_at: null }
      if (!(await transition(db, 'fee_waiver', before.id, { from: before.state, to: 'asked' }, set)))
        throw new Refused(refuse('kernel/changed-meanwhile', {}))
    } else id = (await addWaiver(db, { examId, signupId, userId, kind, reason, proofFileId })).id
    await audit(db, ctx, { action: 'feewaiver.asked', entity: 'signup', entityId: signupId, after: { kind } })
    await tellFinance(kit, db, {
      text: {
        title: { zh: '费用减免申请待审核', en: 'Somebody asks to be let off a fee' },
        content: { zh: `${examName}：有新的费用减免申请`, en: `${examName}: a request waits` },
      },
      link: '/pay/feeWaiver',
      eventKey: `waiver-asked:${id}:${before?.version ?? 0}`,
    })
    return { id: id ?? '', state: wire('asked') }
  })
}

export const withdrawWaiverOf = (ctx: Ctx, { examId }: InputOf<typeof withdrawWaiver>): Promise<{ id: string; state: number }> =>
  asOwner(ctx, async db => {
    const [basis] = await listWaiverBases(db, sessionOf(ctx).userId, examId)
    const row = basis && (await waiverOf(db, basis.signupId))
    if (!row) throw new Refused(refuse('kernel/not-found', {}))
    const to = step(waiverMachine, row.state, 'withdraw')
    if (to === undefined || !(await transition(db, 'fee_waiver', row.id, { from: row.state, to })))
      throw new Refused(refusePay('pay/waiver-decided', {}))
    await audit(db, ctx, { action: 'feewaiver.withdrawn', entity: 'signup', entityId: row.signupId, before: { state: row.state } })
    return { id: row.id, state: wire(to) }
  })

/** The requests of an examination, those that wait first. */
export const listWaivers = async (kit: PayKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof waiverList>) => {
  if (!(await findExam(db, input.examId))) return refuse('kernel/not-found', {})
  const { current, size, offset, state, examId, keyword } = sliceOf(input)
  const filter = { examId, keyword, state: state === undefined ? undefined : stateOfWaiver(state) }
  const { rows, total } = await pageWaivers(db, filter, { size, offset })
  const reader = { tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }
  const readsNames = ['finance', 'admin', 'exam_admin'].some(alias => ctx.session?.roleAliases.has(alias))
  const records = rows.map(row => ({
    ...{ id: row.id, signNo: row.signNo, name: readsNames ? row.name : maskName(row.name), codeName: row.codeName, ...factsOf(row) },
    proof: kit.deps.file.linkFor(reader, row.proofFileId, ctx.arrivedAt),
    ...{ dueAmount: row.dueAmount, paidAmount: row.paidAmount, version: row.version },
    askedTime: toWireTime(row.askedAt),
    decidedTime: row.decidedAt === null ? null : toWireTime(row.decidedAt),
  }))
  return toPage(records, total, current, size)
}

/** What is open becomes less, or nothing; what was paid goes back in the same share. Call with no order of the sign-up open. */
const letOff = async (kit: PayKit, db: TenantDb, ctx: Ctx, signupId: string, percent: number): Promise<void> => {
  for (const { id } of await listOpenDues(db, signupId)) {
    const due = await lockDue(db, id)
    if (due === undefined || (due.state !== 'due' && due.state !== 'overdue')) continue
    if (await findLiveOrder(db, id)) throw new Refused(refusePay('pay/changed-meanwhile', {}))
    const left = feeAfterWaiver(due.amountFen, percent)
    if (left === 0 && !(await transition(db, 'exam_pay', id, { from: due.state, to: 'exempt' })))
      throw new Refused(refusePay('pay/changed-meanwhile', {}))
    if (left > 0) await writeDueAmount(db, id, left)
    await audit(db, ctx, {
      action: 'exampay.waived',
      entity: 'exampay',
      entityId: id,
      before: { state: due.state, amountFen: due.amountFen },
      after: left === 0 ? { state: 'exempt' } : { amountFen: left },
    })
  }
  for (const { id, paidFen } of await listDuesWithMoney(db, signupId)) {
    await writeWaived(db, id, paidFen - feeAfterWaiver(paidFen, percent))
    const due = await lockDue(db, id)
    if (due) await settleSum(kit, db, id, { orderId: due.orderId, gives: true }, ctx)
  }
  await mirror(kit, db, signupId)
}

/** Open orders end at the provider first: one that was paid meanwhile is a payment, whose money goes back then. */
const closeOpenOrders = async (kit: PayKit, ctx: Ctx, signupId: string): Promise<Refusal | undefined> => {
  for (const { id } of await ctx.tx(db => listOpenDues(db, signupId))) {
    const closed = await closeLiveOrder(kit, ctx.tenantId, id, { userId: sessionOf(ctx).userId, reason: 'waived', ctx })
    if (closed?.kind === 'unknown') return refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
  }
  return undefined
}

const waitsForSecond = {
  zh: '已发起：已缴的费用要退回，须由另一人办理相同的决定',
  en: 'Begun: what was paid goes back, so another person has to decide the same',
}

/** What is let off of paid fees and goes back, in fen. */
const backOf = async (db: TenantDb, signupId: string, percent: number): Promise<number> =>
  (await listDuesWithMoney(db, signupId)).reduce((sum, { paidFen }) => sum + paidFen - feeAfterWaiver(paidFen, percent), 0)

/** Finance's word. A refusal says why; a grant says how much of each fee is let off. */
export const decideOnWaiver = async (
  kit: PayKit,
  ctx: Ctx,
  input: InputOf<typeof decideWaiver>,
): Promise<{ id: string; state: number; waiting?: string } | Refusal> => {
  const seen = await ctx.tx(db => findWaiver(db, input.id))
  if (!seen) return refuse('kernel/not-found', {})
  const isGranted = input.outcome === 1
  const remark = (input.remark ?? '').trim()
  if (!isGranted && remark === '') return refuseField('remark', { zh: '请填写不同意的理由', en: 'Say why it is refused' })
  const { percent } = input
  if (isGranted && percent === undefined) return refuseField('percent', { zh: '请填写减免比例', en: 'Say how much is let off' })
  const to = step(waiverMachine, seen.state, isGranted ? 'grant' : 'refuse')
  if (to === undefined) return refusePay('pay/waiver-decided', {})
  const busy = isGranted ? await closeOpenOrders(kit, ctx, seen.signupId) : undefined
  if (busy) return busy
  return ctx.tx(async db => {
    const row = await lockWaiver(db, seen.id)
    if (!row || row.version !== (input.version ?? seen.version)) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    const backFen = isGranted && percent !== undefined ? await backOf(db, row.signupId, percent) : 0
    if (!isGranted) await endAct(db, ctx, 'waiverRefund', row.id, remark)
    // Money that was paid goes back by the word of two.
    if (backFen > 0) {
      const word = await twoPersonsOn(db, ctx, {
        ...{ kind: 'waiverRefund', entityId: row.id, args: { percent, backFen } },
        subject: { ground: row.kind, reason: row.reason, proof: row.proofFileId },
      })
      if (word.kind !== 'go') return { id: row.id, state: wire(row.state), waiting: ctx.say(waitsForSecond) }
    } else passAlone(db, 'waiverRefund', 'belowLimit')
    const set = { percent: isGranted ? percent : null, remark: remark || null, decided_by: sessionOf(ctx).userId, decided_at: db.now }
    if (!(await transition(db, 'fee_waiver', row.id, { from: seen.state, to }, set)))
      throw new Refused(refuse('kernel/changed-meanwhile', {}))
    await audit(db, ctx, {
      action: 'feewaiver.decided',
      entity: 'signup',
      entityId: row.signupId,
      before: { state: row.state },
      after: { state: to, percent: set.percent ?? null },
      ...(remark === '' ? {} : { reason: remark }),
    })
    if (isGranted && percent !== undefined) await letOff(kit, db, ctx, row.signupId, percent)
    const exam = await findExam(db, row.examId)
    const text = isGranted
      ? payTexts.waiverGranted(exam?.examName ?? '', percent ?? 0)
      : payTexts.waiverRefused(exam?.examName ?? '', remark)
    await tellOwner(kit, db, row, text, `waiver:${row.id}:${row.version + 1}`)
    return { id: row.id, state: wire(to) }
  })
}
