import { postStates } from '#contract/exam/exam.state.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { type Due, dueDeadline, duesFor, feeModes, payKinds } from '#contract/pay/fee.ts'
import type { PayState } from '#contract/pay/order.state.ts'
import { feeAfterWaiver } from '#contract/pay/waiver.state.ts'
import { audit, auditEach } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { enqueue, enqueueEach } from '#kernel/queue/outbox.ts'
import { type ExamRow, findExam, findPost, listPapers, listPosts, type PaperRow } from '#modules/exam/index.ts'
import {
  type Fee,
  findDue,
  insertDue,
  insertDues,
  listDuesOfSignup,
  lockDueOfFee,
  lockMoved,
  type MovedDue,
  signupToCharge,
  writeTold,
} from '../data/due.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import { waivedPercent, waivedPercents } from '../data/waiver.repo.ts'
import type { PayKit } from '../deps.ts'
import { dueBar } from '../domain/payable.ts'
import { payTexts } from '../templates/notices.ts'
import { orderClose } from './close-order.ts'
import { mirror, payPage, tellOwner } from './news.ts'

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

/** The fees of a post by the examination's fee mode (domain 8.1), as far as one can be asked for. */
const feesOfPost = (
  exam: ExamRow,
  post: { readonly code: string; readonly feeFen: number; readonly itemCodes: readonly string[] },
  papers: readonly PaperRow[],
  signup: Parameters<typeof dueBar>[0],
): readonly Due[] =>
  dueBar(signup)
    ? []
    : duesFor(
        { feeMode: feeModes[exam.feeMode], feeFen: exam.feeFen },
        post,
        papers.map(paper => ({ ...paper, itemId: paper.id })),
      )
const feeOf = (of: { readonly examId: string; readonly signupId: string }, due: Due): Fee => ({
  ...of,
  itemId: due.itemId,
  kind: payKinds.indexOf(due.payKind) + 1,
  name: due.payName,
})

/** Until when what arises now has to be paid. */
const endOf = (exam: ExamRow, now: Date): { readonly deadline: Date; readonly graceUntil: Date | null } => {
  const deadline = dueDeadline(exam.payEnd ?? now, now)
  return { deadline, graceUntil: exam.payEnd && deadline > exam.payEnd ? deadline : null }
}

/** Who passes in time reads sum and end in the notice of the review itself. */
const isToldByReview = (exam: ExamRow, deadline: Date): boolean => exam.payWhen === 1 && deadline.getTime() === exam.payEnd?.getTime()

const factsOf = async (db: TenantDb, signupId: string) => {
  const signup = await signupToCharge(db, signupId)
  const exam = await findExam(db, signup.examId)
  if (!exam) throw new Error(`sign-up ${signupId} has no examination`)
  const post = signup.code === null ? undefined : await findPost(db, exam.id, signup.code)
  const papers = await listPapers(db, exam.id)
  return { signup, exam, post, papers }
}

/** Fees without what is let off; nothing is left of one that is let off whole. */
const letOff = (full: readonly Due[], percent: number): Due[] =>
  full.flatMap(due => {
    const amountFen = feeAfterWaiver(due.amountFen, percent)
    return amountFen === 0 ? [] : [{ ...due, amountFen }]
  })

/** What a sign-up owes, or will owe once it has passed, by the rules of its examination, without what is let off. */
export const feesByRule = async (db: TenantDb, signupId: string) => {
  const { signup, exam, post, papers } = await factsOf(db, signupId)
  const percent = await waivedPercent(db, signupId)
  const chosen = { code: signup.code ?? '', feeFen: post?.feeFen ?? 0, itemCodes: post?.itemCodes ?? [] }
  const full = feesOfPost(exam, chosen, papers, signup)
  return { signup, exam, wanted: exam.payWhen === 3 ? [] : letOff(full, percent) }
}

/** The same of many sign-ups of one examination. */
export const feesByRuleOf = async (
  db: TenantDb,
  exam: ExamRow,
  signups: readonly (Parameters<typeof dueBar>[0] & { readonly signupId: string; readonly code: string | null })[],
): Promise<ReadonlyMap<string, readonly Due[]>> => {
  if (exam.payWhen === 3) return new Map()
  const [papers, posts] = [await listPapers(db, exam.id), new Map((await listPosts(db, exam.id)).map(post => [post.code, post]))]
  const percents = await waivedPercents(
    db,
    signups.map(({ signupId }) => signupId),
  )
  return new Map(
    signups.map(signup => {
      const code = signup.code ?? ''
      const post = posts.get(code)
      const chosen = { code, feeFen: post?.feeFen ?? 0, itemCodes: post?.itemCodes ?? [] }
      const full = feesOfPost(exam, chosen, papers, signup)
      return [signup.signupId, letOff(full, percents.get(signup.signupId) ?? 0)]
    }),
  )
}

/**
 * Makes the dues of a sign-up by the examination's fee mode (domain 8.1) and returns what the sign-up mirrors; tells the
 * candidate where the notice of the review does not.
 * Safe to call again: a due that is open for the same fee stays, one for another amount is voided and made anew, an overdue one is
 * opened again. The transaction must be one of staff or of the system.
 */
export const openDues = async (kit: PayKit, db: TenantDb, signupId: string): Promise<PayState> => {
  const { signup, exam, wanted } = await feesByRule(db, signupId)
  const { deadline, graceUntil } = endOf(exam, db.now)
  const opened: OpenedDue[] = []
  for (const due of wanted) {
    const fee = feeOf({ examId: exam.id, signupId }, due)
    const known = await lockDueOfFee(db, fee)
    const isOpen = known?.isByRule === true && (known.state === 'due' || known.state === 'overdue')
    if (known && isOpen && known.amountFen !== due.amountFen) await voidDue(db, known.id, ownReasons.feeChanged.zh)
    else if (known?.isByRule && known.state === 'overdue') {
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
  if (!isToldByReview(exam, deadline)) await announce(kit, db, opened, { ...signup, examName: exam.examName, deadline })
  return mirror(kit, db, signupId)
}

/** A sign-up that owes nothing yet. */
export interface Newcomer {
  readonly signupId: string
  readonly userId: string
  readonly code: string
}

/** What `openDues` does, for many sign-ups of an examination that have no dues. @returns who owes something now: their sign-ups mirror it */
export const openFirstDues = async (kit: PayKit, db: TenantDb, examId: string, people: readonly Newcomer[]): Promise<string[]> => {
  const exam = await findExam(db, examId)
  if (!exam) throw new Error(`there is no examination ${examId}`)
  const [papers, posts] = [await listPapers(db, examId), await listPosts(db, examId)]
  const wanted = new Map(
    posts.map(post => {
      const postEvent = post.postState === postStates.wire.cancelled ? 'cancelled' : 'none'
      return [post.code, feesOfPost(exam, { ...post, feeFen: post.feeFen ?? 0 }, papers, { examine: 'passed', postEvent })]
    }),
  )
  const { deadline, graceUntil } = endOf(exam, db.now)
  const dues = people.flatMap(({ signupId, userId, code }) =>
    (wanted.get(code) ?? []).map(due => ({ ...feeOf({ examId, signupId }, due), userId, amountFen: due.amountFen })),
  )
  if (dues.length === 0) return []
  const opened = await insertDues(db, dues, { deadline, graceUntil })
  await auditEach(
    db,
    undefined,
    opened.map(({ id, amountFen, payName }) => ({
      action: 'exampay.added',
      entity: 'exampay',
      entityId: id,
      after: { amountFen, payName },
    })),
  )
  await enqueueEach(
    db,
    lapseTask,
    opened.map(({ id }) => ({ payload: { payId: id }, jobKey: lapseKey(id) })),
    deadline,
  )
  if (!isToldByReview(exam, deadline)) {
    const until = toEndMinute(deadline)
    for (const [amountFen, some] of Map.groupBy(opened, due => due.amountFen))
      await kit.deps.message.notifyEach(
        db,
        some.map(({ id, userId }) => ({ userId, eventKey: dueKey(id, until) })),
        { ...payTexts.due(exam.examName, amountFen, until), examId, kind: 2, link: payPage },
      )
  }
  return [...new Set(opened.map(({ signupId }) => signupId))]
}

const lapseTask = 'pay.lapse'
const lapseKey = (payId: string): string => `lapse-${payId}`
const dueKey = (payId: string, until: string): string => `due:${payId}:${until}`

/** Orders the lapse of each due at its end. */
const watchDues = async (db: TenantDb, dues: readonly OpenedDue[], deadline: Date): Promise<void> => {
  for (const { id } of dues) await enqueue(db, lapseTask, { payId: id }, { runAt: deadline, jobKey: lapseKey(id) })
}

/** One notice per due that nobody else tells about: who passes in time reads sum and end in the notice of the review itself. */
const announce = async (
  kit: PayKit,
  db: TenantDb,
  dues: readonly OpenedDue[],
  facts: { readonly userId: string; readonly examId: string; readonly examName: string; readonly deadline: Date },
): Promise<void> => {
  const until = toEndMinute(facts.deadline)
  for (const { id, amountFen } of dues) await tellOwner(kit, db, facts, payTexts.due(facts.examName, amountFen, until), dueKey(id, until))
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
