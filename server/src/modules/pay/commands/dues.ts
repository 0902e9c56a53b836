import { ownReasons } from '#contract/kernel/own-reason.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { dueDeadline, duesFor, feeModes, payKinds } from '#contract/pay/fee.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { findExam, findPost, listPapers } from '#modules/exam/index.ts'
import {
  findDue,
  insertDue,
  listDuesOfSignup,
  lockDueOfFee,
  lockMoved,
  type MovedDue,
  signupToCharge,
  writeTold,
} from '../data/due.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { payTexts } from '../templates/notices.ts'
import { orderClose } from './close-order.ts'
import { mirror, tellOwner } from './news.ts'

interface OpenedDue {
  readonly id: string
  readonly amountFen: number
}

/** Voids one unpaid due; its live order is closed at the provider by a task. */
const voidDue = async (db: TenantDb, payId: string, reason: string): Promise<boolean> => {
  if (!(await transition(db, 'exam_pay', payId, { from: ['due', 'overdue'], to: 'void' }, { remark: reason }))) return false
  const live = await findLiveOrder(db, payId)
  if (live) await orderClose(db, live.orderNo, reason)
  await audit(db, undefined, { action: 'exampay.voided', entity: 'exampay', entityId: payId, after: { state: 'void' }, reason })
  return true
}

const factsOf = async (db: TenantDb, signupId: string) => {
  const signup = await signupToCharge(db, signupId)
  const exam = await findExam(db, signup.examId)
  if (!exam) throw new Error(`sign-up ${signupId} has no examination`)
  const post = signup.code === null ? undefined : await findPost(db, exam.id, signup.code)
  const papers = await listPapers(db, exam.id)
  return { signup, exam, post, papers }
}

/**
 * Makes the dues of a sign-up by the examination's fee mode (domain 8.1) and returns what the sign-up mirrors; tells the
 * candidate where the notice of the review does not.
 * Safe to call again: a due that is open for the same fee stays, one for another amount is voided and made anew, an overdue one is
 * opened again. The transaction must be one of staff or of the system.
 */
export const openDues = async (kit: PayKit, db: TenantDb, signupId: string): Promise<PayState> => {
  const { signup, exam, post, papers } = await factsOf(db, signupId)
  const wanted = duesFor(
    { feeMode: feeModes[exam.feeMode], feeFen: exam.feeFen },
    { code: signup.code ?? '', feeFen: post?.feeFen ?? 0 },
    papers.map(paper => ({ itemId: paper.id, itemName: paper.itemName, feeFen: paper.feeFen, typeCodes: paper.typeCodes })),
  )
  const deadline = dueDeadline(exam.payEnd ?? db.now, db.now)
  const graceUntil = exam.payEnd && deadline > exam.payEnd ? deadline : null
  const opened: OpenedDue[] = []
  for (const due of wanted) {
    const fee = { examId: exam.id, signupId, itemId: due.itemId, kind: payKinds.indexOf(due.payKind) + 1, name: due.payName }
    const known = await lockDueOfFee(db, fee)
    const isOpen = known?.state === 'due' || known?.state === 'overdue'
    if (known && isOpen && known.amountFen !== due.amountFen) await voidDue(db, known.id, ownReasons.feeChanged.zh)
    else if (known?.state === 'overdue') {
      await transition(db, 'exam_pay', known.id, { from: 'overdue', to: 'due' }, { deadline, own_deadline: false, grace_until: graceUntil })
      opened.push({ id: known.id, amountFen: known.amountFen })
      continue
    } else if (known) continue
    const id = await insertDue(db, fee, { userId: signup.userId, amountFen: due.amountFen, deadline, graceUntil })
    await audit(db, undefined, {
      action: 'exampay.added',
      entity: 'exampay',
      entityId: id,
      after: { amountFen: due.amountFen, payName: due.payName },
    })
    opened.push({ id, amountFen: due.amountFen })
  }
  await watchDues(db, opened, deadline)
  const isToldByReview = exam.payWhen === 1 && deadline.getTime() === exam.payEnd?.getTime()
  if (!isToldByReview) await announce(kit, db, opened, { ...signup, examName: exam.examName, deadline })
  return mirror(kit, db, signupId)
}

/** Orders the lapse of each due at its end. */
const watchDues = async (db: TenantDb, dues: readonly OpenedDue[], deadline: Date): Promise<void> => {
  for (const { id } of dues) await enqueue(db, 'pay.lapse', { payId: id }, { runAt: deadline, jobKey: `lapse-${id}` })
}

/** One notice per due that nobody else tells about: who passes in time reads sum and end in the notice of the review itself. */
const announce = async (
  kit: PayKit,
  db: TenantDb,
  dues: readonly OpenedDue[],
  facts: { readonly userId: string; readonly examId: string; readonly examName: string; readonly deadline: Date },
): Promise<void> => {
  const until = toEndMinute(facts.deadline)
  for (const { id, amountFen } of dues)
    await tellOwner(kit, db, facts, payTexts.due(facts.examName, amountFen, until), `due:${id}:${until}`)
}

/** Voids what is unpaid when a sign-up is withdrawn or its pass is undone; paid dues stay. @returns what the sign-up mirrors */
export const voidDues = async (kit: PayKit, db: TenantDb, signupId: string, reason = ownReasons.signupWithdrawn.zh): Promise<PayState> => {
  for (const due of await listDuesOfSignup(db, signupId))
    if (due.state === 'due' || due.state === 'overdue') await voidDue(db, due.id, reason)
  return mirror(kit, db, signupId)
}

/** Marks a due overdue after its end. @returns the end when it lies ahead, because the examination was extended */
export const lapseDue = async (kit: PayKit, db: TenantDb, payId: string): Promise<Date | undefined> => {
  const due = await findDue(db, payId)
  if (due?.state !== 'due') return undefined
  const until = due.deadline
  if (db.now < until) return until
  if (await transition(db, 'exam_pay', payId, { from: 'due', to: 'overdue' })) {
    await mirror(kit, db, due.signupId)
    await audit(db, undefined, {
      action: 'exampay.lapsed',
      entity: 'exampay',
      entityId: payId,
      before: { state: 'due' },
      after: { state: 'overdue' },
    })
  }
  return undefined
}

/**
 * After the end of payments of an examination has moved: dues that follow it get the new end, in both directions, and what lapsed is opened again
 * when the new end lies ahead (domain 4.5). Whoever owes one is told. Dues with an end of their own stay as they are.
 * A task: safe to run again, since only dues whose owner was told another end are touched.
 */
export const moveDues = async (kit: PayKit, db: TenantDb, examId: string): Promise<void> => {
  const exam = await findExam(db, examId)
  if (exam?.state !== 'released') return
  const { examName } = exam
  const moved = await lockMoved(db, examId)
  const byEnd = new Map<number, MovedDue[]>()
  for (const due of moved) byEnd.set(due.until.getTime(), [...(byEnd.get(due.until.getTime()) ?? []), due])
  for (const [endMs, dues] of byEnd) {
    const until = new Date(endMs)
    for (const due of dues.filter(({ state }) => state === 'overdue')) {
      await transition(db, 'exam_pay', due.id, { from: 'overdue', to: 'due' })
      await audit(db, undefined, {
        action: 'exampay.extended',
        entity: 'exampay',
        entityId: due.id,
        before: { state: 'overdue', deadline: toWireTime(due.told) },
        after: { state: 'due', deadline: toWireTime(until) },
      })
      await mirror(kit, db, due.signupId)
    }
    await writeTold(
      db,
      dues.map(due => due.id),
      until,
    )
    await watchDues(db, dues, until)
    for (const { id, amountFen, userId, state, told } of dues) {
      const text = payTexts.dueMoved(examName, amountFen, toEndMinute(until), state === 'overdue')
      await tellOwner(kit, db, { userId, examId }, text, `due-moved:${id}:${told.getTime()}:${endMs}:${db.now.getTime()}`)
    }
  }
  const followed = moved.filter(({ state }) => state === 'due')
  if (followed.length === 0) return
  await audit(db, undefined, {
    action: 'examination.dues-moved',
    entity: 'examination',
    entityId: examId,
    after: { payEnd: exam.payEnd && toWireTime(exam.payEnd), dues: followed.length },
  })
}
