import { askAbout } from '#contract/kernel/asking.ts'
import { dateDoubts } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { endOfWindow, fromWireTime, saidTime, toEndMinute, toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import type { submitExamPay } from '#contract/pay/pay.routes.ts'
import { nameKey } from '#contract/person/person-name.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import { findPayerBySignNo, insertDueByHand, listKnownDues } from '../data/import.repo.ts'
import type { PayKit } from '../deps.ts'
import { dueBar, feeKindOf } from '../domain/payable.ts'
import { judgeDue } from '../domain/second-due.ts'
import { payTexts } from '../templates/notices.ts'
import { feesByRule } from './dues.ts'
import { mirror, tellOwner } from './news.ts'
import { reachesDues } from './pay-scope.ts'

const wrong = (field: string, zh: string, en: string): Refused => new Refused(refuseField(field, { zh, en }))

/** One due that no rule of the examination makes, as a row of `importExamPay`: the owner is told, and it lapses at its end. */
export const addDue = async (kit: PayKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof submitExamPay>): Promise<{ id: string }> => {
  const exam = await findExam(db, input.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const payer = await findPayerBySignNo(db, exam.id, input.signNo)
  if (!payer) throw wrong('signNo', '本次考试没有此报名序号', 'This examination has no such sign-up number')
  // Neither the name nor the state of somebody is told to whoever has the number alone.
  if (nameKey(input.name) !== nameKey(payer.name)) throw wrong('name', '姓名与报名不一致', 'The name differs from the sign-up')
  const bar = dueBar(payer)
  if (bar) throw wrong('signNo', bar.zh, bar.en)
  const itemId = input.itemId || '0'
  if (itemId !== '0' && !(await listPapers(db, exam.id)).some(paper => paper.id === itemId))
    throw new Refused(refuse('kernel/not-found', {}))
  const typed = input.deadline ? fromWireTime(input.deadline) : undefined
  const deadline = input.deadline ? typed && endOfWindow(typed) : (exam.payEnd ?? undefined)
  if (!deadline) throw wrong('deadline', '考试没有缴费结束时间，请填写截止时间', 'The examination has no end of payment; fill in a time')
  if (deadline <= db.now) {
    const over = saidTime(input.deadline ?? toWireEnd(deadline))
    throw wrong('deadline', `缴费截止时间已过: ${over}`, `${over} has passed`)
  }
  const { signupId, userId } = payer
  const { amount } = input
  const kind = feeKindOf(exam.payWhen)
  const known = (await listKnownDues(db, exam.id, [signupId])).get(signupId) ?? []
  const { payName, doubts } = judgeDue(
    { itemId, payName: input.payName, amountFen: amount },
    known,
    (await feesByRule(db, signupId)).wanted,
  )
  const asked = askAbout([...doubts, ...dateDoubts('payDeadline', 'deadline', deadline, { now: db.now })], input.sure)
  if (asked) throw new Refused(asked)
  const due = {
    examId: exam.id,
    signupId,
    userId,
    itemId,
    kind,
    payName,
    amountFen: amount,
    deadline,
    ownDeadline: Boolean(input.deadline),
    remark: input.remark || null,
  }
  const id = await insertDueByHand(db, due)
  // Whoever is narrowed makes nothing that they could not see.
  if (!(await reachesDues(ctx, db, [id]))) throw new Refused(refuse('kernel/out-of-scope', {}))
  await enqueue(db, 'pay.lapse', { payId: id }, { runAt: deadline, jobKey: `lapse-${id}` })
  await audit(db, ctx, {
    action: 'exampay.added',
    entity: 'exampay',
    entityId: id,
    after: { amountFen: amount, payName, signupId, deadline: toWireTime(deadline) },
  })
  const until = toEndMinute(deadline)
  await tellOwner(kit, db, { userId, examId: exam.id }, payTexts.due(exam.examName, amount, until), `due:${id}:${until}`)
  await mirror(kit, db, signupId)
  return { id }
}
