import { askAbout } from '#contract/kernel/asking.ts'
import { dateDoubts, dateProblem, examBegan, startOfDay } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { twoPersonActs } from '#contract/kernel/two-persons.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { numberKey } from '#contract/pay/numbers.ts'
import { type PayWay, payWayWire } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { insistOnGate, passAlone, refuseSamePerson } from '#kernel/two-persons.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { countPayLines } from '../data/batch.repo.ts'
import { addLedger, type DueRow, findDue, lockDue } from '../data/due.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import { confirmPosting, dropPosting, insertPosting, isVoucherUsed, lockWaitingPosting, type Posting } from '../data/posting.repo.ts'
import type { PayKit } from '../deps.ts'
import { payTexts } from '../templates/notices.ts'
import { closeLiveOrder } from './close-order.ts'
import { mirror, tellOwner } from './news.ts'

export interface OfflinePayment {
  readonly payId: string
  readonly payWay: Exclude<PayWay, 'wechat' | 'alipay' | 'nontax'>
  readonly amountFen: number
  readonly paidTime: Date
  readonly voucherNo: string
  readonly remark: string | null
  /** Doubts that are confirmed. */
  readonly sure?: string | undefined
}
export interface PostingAnswer {
  readonly payId: string
  readonly state: number
  readonly waitsForSecondPerson: boolean
}

export const offlineWayOf = (wire: number): Exclude<PayWay, 'wechat' | 'alipay' | 'nontax'> | undefined =>
  (['bankTransfer', 'cash', 'unit'] as const).find(way => payWayWire[way] === wire)

const defaultDoubleCheckFen = 100_000

const anchorsOf = ({ signBegin, examMade }: DueRow, now: Date) => ({
  now,
  signBegin: signBegin && startOfDay(signBegin),
  examBegan: examBegan({ createdAt: examMade, signBegin }),
})

/** What speaks against posting; money that came after the end is not posted on an overdue due. */
const problemOf = (due: DueRow | undefined, payment: OfflinePayment, now: Date): Refusal | undefined => {
  if (!due) return refuse('kernel/not-found', {})
  if (due.state !== 'due' && due.state !== 'overdue') return refusePay('pay/not-payable', {})
  if (payment.amountFen !== due.amountFen) return refusePay('pay/amount-differs', { amount: formatFen(due.amountFen) })
  const wrong = dateProblem('paidTime', payment.paidTime, anchorsOf(due, now))
  if (wrong) return payment.paidTime > now ? refusePay('pay/paid-in-future', {}) : refuseField('paidTime', wrong)
  if (due.state === 'overdue' && payment.paidTime >= due.deadline) return refusePay('pay/outside-window', {})
  return askAbout(dateDoubts('paidTime', 'paidTime', payment.paidTime, anchorsOf(due, now)), payment.sure)
}

const isSame = (posting: Posting, payment: OfflinePayment): boolean =>
  posting.payWay === payment.payWay &&
  posting.amountFen === payment.amountFen &&
  numberKey(posting.voucherNo) === numberKey(payment.voucherNo) &&
  posting.paidTime.getTime() === payment.paidTime.getTime()

/** Above this two people post a payment. */
export const doubleCheckFen = async (db: TenantDb): Promise<number> => {
  const { above } = twoPersonActs.manualPayment
  const { [above]: limit } = await readParameters(db, [above])
  return /^\d+$/.test(limit ?? '') ? Number(limit) : defaultDoubleCheckFen
}

/** Who else has to agree: nobody, the second person who is here now, or one who has to come (four eyes above the limit). */
const secondEyes = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  payment: OfflinePayment,
): Promise<{ readonly waits: true } | { readonly waits: false; readonly posting?: Posting }> => {
  if (payment.amountFen <= (await doubleCheckFen(db))) {
    passAlone(db, 'manualPayment', 'belowLimit')
    return { waits: false }
  }
  const posting = await lockWaitingPosting(db, payment.payId)
  if (posting && posting.postedBy !== db.actor.userId) {
    if (!isSame(posting, payment)) throw new Refused(refusePay('pay/posting-differs', {}))
    await refuseSamePerson(db, 'manualPayment', db.actor.userId, [posting.postedBy])
    return { waits: false, posting }
  }
  // The first person sends it again: what they say now counts.
  if (posting) await dropPosting(db, posting.id)
  const id = await insertPosting(db, { ...payment, voucherFileId: await keepVoucher(kit, db, ctx, payment.payId) })
  await audit(db, ctx, {
    action: 'exampay.posting-entered',
    entity: 'exampay',
    entityId: payment.payId,
    after: { posting: id, amountFen: payment.amountFen, payWay: payment.payWay, voucherNo: payment.voucherNo },
  })
  return { waits: true }
}

const keepVoucher = async (kit: PayKit, db: TenantDb, ctx: Ctx, payId: string): Promise<string | null> => {
  const [file] = ctx.files
  if (!file) return null
  const row = await kit.deps.file.keepUpload(db, {
    file,
    userId: db.actor.userId,
    ownerKind: 'exampay',
    ownerId: payId,
    purpose: 'document',
  })
  return row.id
}

/** A voucher whose payment was taken back may be entered again, as another line. Whether it is used now, the dues say. */
const evidenceOf = async (db: TenantDb, voucher: string): Promise<string> => {
  const lines = await countPayLines(db, voucher)
  return lines === 0 ? voucher : `${voucher}#${lines + 1}`
}

/** Writes a due as paid by another way than the provider: state, ledger, mirror, notice, audit. The due is locked. */
export const writePaid = async (
  kit: PayKit,
  db: TenantDb,
  origin: Ctx | undefined,
  due: DueRow,
  payment: OfflinePayment,
  by: {
    readonly postedBy: string
    readonly confirmedBy: string | null
    readonly voucherFileId: string | null
    /** The batch of an import. */
    readonly mainId?: string
  },
): Promise<void> => {
  insistOnGate(db, 'manualPayment')
  const set = {
    paid_fen: payment.amountFen,
    paid_time: payment.paidTime,
    pay_way: payment.payWay,
    voucher_no: payment.voucherNo,
    voucher_file_id: by.voucherFileId,
    posted_by: by.postedBy,
    confirmed_by: by.confirmedBy,
    remark: payment.remark,
    ...(by.mainId === undefined ? {} : { main_id: by.mainId }),
  }
  if (!(await transition(db, 'exam_pay', due.id, { from: due.state, to: 'paid' }, set)))
    throw new Error(`due ${due.id} moved under its lock`)
  const written = await addLedger(db, {
    payId: due.id,
    kind: 'pay',
    amountFen: payment.amountFen,
    evidence: await evidenceOf(db, `${payment.payWay}:${payment.voucherNo}`),
  })
  if (written === 0) throw new Refused(refusePay('pay/voucher-used', {}))
  await mirror(kit, db, due.signupId)
  await tellOwner(kit, db, due, payTexts.payReceived(due.examName, payment.amountFen), `payReceived:manual:${due.id}`)
  await audit(db, origin, {
    action: 'exampay.posted',
    entity: 'exampay',
    entityId: due.id,
    before: { state: due.state },
    after: { state: 'paid', amountFen: payment.amountFen, payWay: payment.payWay, voucherNo: payment.voucherNo, postedBy: by.postedBy },
  })
}

const post = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  due: DueRow,
  payment: OfflinePayment,
  posting: Posting | undefined,
): Promise<void> => {
  if (posting) await confirmPosting(db, posting.id)
  await writePaid(kit, db, ctx, due, payment, {
    voucherFileId: posting?.voucherFileId ?? (await keepVoucher(kit, db, ctx, due.id)),
    postedBy: posting?.postedBy ?? db.actor.userId,
    confirmedBy: posting ? db.actor.userId : null,
  })
}

/**
 * Posts an offline payment (domain 5.4 handleUp, scenario 5): the open order is closed at the provider first, and a payment found
 * there is posted instead (2604). Above the limit the first call only enters it and a second person sends the same.
 *
 * @param finish - runs the last transaction, once per idempotency key
 */
export const postOffline = async (
  kit: PayKit,
  ctx: Ctx,
  payment: OfflinePayment,
  finish: (work: (db: TenantDb) => Promise<PostingAnswer>) => Promise<PostingAnswer>,
): Promise<PostingAnswer | Refusal> => {
  const { payId } = payment
  const problem = await ctx.tx(async db => problemOf(await findDue(db, payId), payment, db.now))
  if (problem) return problem
  for (let round = 1; round <= 2; round += 1) {
    const closed = await closeLiveOrder(kit, ctx.tenantId, payId, { userId: ctx.session?.userId ?? '0', reason: 'handleUp', ctx })
    if (closed?.kind === 'paid') return refusePay('pay/order-paid', {})
    if (closed?.kind === 'unknown') return refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
    const answer = await finish(async db => {
      const due = await lockDue(db, payId)
      const late = problemOf(due, payment, db.now)
      if (late || !due) throw new Refused(late ?? refuse('kernel/not-found', {}))
      // Somebody has opened another code since: it is closed in the next round.
      if (await findLiveOrder(db, payId)) throw new LiveOrderAgain()
      if (await isVoucherUsed(db, payment.voucherNo, payId)) throw new Refused(refusePay('pay/voucher-used', {}))
      const eyes = await secondEyes(kit, db, ctx, payment)
      if (!eyes.waits) await post(kit, db, ctx, due, payment, eyes.posting)
      return { payId, state: eyes.waits ? 1 : 2, waitsForSecondPerson: eyes.waits }
    }).catch((error: unknown) => {
      if (error instanceof LiveOrderAgain) return undefined
      throw error
    })
    if (answer !== undefined && !isRefusal(answer)) return answer
  }
  return refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
}

class LiveOrderAgain extends Error {}
