import { ownReasons } from '#contract/kernel/own-reason.ts'
import { toEndMinute } from '#contract/kernel/when.ts'
import { differenceFee, dueDeadline, duesFor, feeModes, payKinds } from '#contract/pay/fee.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { feeAfterWaiver } from '#contract/pay/waiver.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { type ExamRow, findExam, findPosts, listPapers } from '#modules/exam/index.ts'
import { insertDue, listPaidDues, lockDue, lockDueOfFee, signupToCharge, sumPaid } from '../data/due.repo.ts'
import { waivedPercent } from '../data/waiver.repo.ts'
import type { PayKit } from '../deps.ts'
import { dueBar } from '../domain/payable.ts'
import { payTexts } from '../templates/notices.ts'
import { openDues, voidDues } from './dues.ts'
import { mirror, tellOwner } from './news.ts'
import { giveBackOf } from './refund-sum.ts'

const feesAt = async (db: TenantDb, exam: ExamRow, codes: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const papers = (await listPapers(db, exam.id)).map(paper => ({ ...paper, itemId: paper.id }))
  const mode = { feeMode: feeModes[exam.feeMode], feeFen: exam.feeFen }
  return new Map(
    (await findPosts(db, exam.id, codes)).map(post => [
      post.code,
      duesFor(mode, post, papers).reduce((sum, due) => sum + due.amountFen, 0),
    ]),
  )
}

/** What all fees of these posts come to, by code. */
export const feesOf = async (db: TenantDb, examId: string, codes: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const exam = await findExam(db, examId)
  return exam ? feesAt(db, exam, codes) : new Map()
}

/** Asks for money of a sign-up to go back, from its newest dues first. */
const giveBack = async (kit: PayKit, db: TenantDb, signupId: string, wantedFen: number, remark: string): Promise<void> => {
  let left = wantedFen
  for (const { id, leftFen } of (await listPaidDues(db, signupId)).toReversed()) {
    if (left === 0) break
    const due = await lockDue(db, id)
    if (!due) continue
    const amountFen = Math.min(left, leftFen)
    left -= amountFen
    await giveBackOf(kit, db, due, { reason: 'postCancelled', amountFen, remark })
  }
}

/** Voids what is unpaid and gives back what was paid, because the post is cancelled (domain 4.4). @returns whether money goes back */
export const giveAllBack = async (kit: PayKit, db: TenantDb, signupId: string, remark: string): Promise<boolean> => {
  await voidDues(kit, db, signupId, ownReasons.postCancelled.zh)
  const paidFen = await sumPaid(db, signupId)
  if (paidFen === 0) return false
  await giveBack(kit, db, signupId, paidFen, remark)
  return true
}

const oweDifference = async (
  kit: PayKit,
  db: TenantDb,
  exam: ExamRow,
  of: { readonly signupId: string; readonly userId: string; readonly code: string },
  amountFen: number,
): Promise<void> => {
  const kind = payKinds.indexOf('postDifference') + 1
  const fee = { examId: exam.id, signupId: of.signupId, itemId: '0', kind, name: differenceFee(of.code) }
  if (await lockDueOfFee(db, fee)) return
  const deadline = dueDeadline(exam.payEnd ?? db.now, db.now)
  const graceUntil = exam.payEnd && deadline > exam.payEnd ? deadline : null
  const id = await insertDue(db, fee, { userId: of.userId, amountFen, deadline, graceUntil })
  await enqueue(db, 'pay.lapse', { payId: id }, { runAt: deadline, jobKey: `lapse-${id}` })
  await audit(db, undefined, { action: 'exampay.added', entity: 'exampay', entityId: id, after: { amountFen, payName: fee.name } })
  const until = toEndMinute(deadline)
  await tellOwner(kit, db, { userId: of.userId, examId: exam.id }, payTexts.due(exam.examName, amountFen, until), `due:${id}:${until}`)
}

/**
 * The fee carries over to the other post (domain 4.4): what it costs more becomes a due of its own, what it costs less goes back. Who had
 * paid nothing owes what the new post costs. @returns what the sign-up mirrors
 */
export const settlePost = async (kit: PayKit, db: TenantDb, signupId: string): Promise<PayState> => {
  const signup = await signupToCharge(db, signupId)
  const { examId, userId, code } = signup
  const exam = await findExam(db, examId)
  if (!exam || code === null) throw new Error(`sign-up ${signupId} has no post`)
  if (exam.payWhen === 3) return mirror(kit, db, signupId)
  await voidDues(kit, db, signupId, ownReasons.feeChanged.zh)
  const paidFen = await sumPaid(db, signupId)
  if (paidFen === 0) return openDues(kit, db, signupId)
  const fullFen = dueBar(signup) ? 0 : ((await feesAt(db, exam, [code])).get(code) ?? 0)
  const wantedFen = feeAfterWaiver(fullFen, await waivedPercent(db, signupId))
  if (wantedFen > paidFen) await oweDifference(kit, db, exam, { signupId, userId, code }, wantedFen - paidFen)
  else if (wantedFen < paidFen) await giveBack(kit, db, signupId, paidFen - wantedFen, differenceFee(code))
  return mirror(kit, db, signupId)
}
