import { refuse } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import { toEndMinute } from '#contract/kernel/when.ts'
import { type TransferChoice, transferMachine } from '#contract/reduction/reduction.state.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, findPost, type PostRow } from '#modules/exam/index.ts'
import { leaveExam, moveToPost, type SignupRow, storeReductionState, type TargetJudgement } from '#modules/signup/index.ts'
import { moveName, type NameRow } from '../data/name.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import { transferResults, transferTexts } from '../templates/notices.ts'
import { tellPerson } from './tell.ts'

/** Somebody on a list, with sign-up and line locked. */
export interface Listed {
  readonly exam: ExamRow
  readonly signup: SignupRow
  readonly name: NameRow
}

const moved = async (db: TenantDb, name: NameRow, to: NameRow['state'] | undefined, set: Parameters<typeof moveName>[4]): Promise<void> => {
  if (to === undefined || !(await moveName(db, name.id, name.state, to, set))) throw new Refused(refuse('kernel/changed-meanwhile', {}))
}
const postName = async (db: TenantDb, examId: string, code: string): Promise<string> => (await findPost(db, examId, code))?.codeName ?? code

/** The move to another post is over, whatever comes after it. */
export const endMove = (db: TenantDb, name: NameRow): Promise<void> => moved(db, name, step(transferMachine, name.state, 'pass'), {})

/** Sends somebody on to another post: the sign-up waits for its first reviewer again, before others (domain 4.4). */
export const goTo = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  { exam, signup, name }: Listed,
  target: { readonly post: PostRow; readonly judged: TargetJudgement },
  choice: Extract<TransferChoice, 'transfer' | 'late'>,
): Promise<void> => {
  const { post, judged } = target
  await moveToPost(db, ctx, exam, signup, post, judged, reductionStates.inReview)
  await moved(db, name, step(transferMachine, name.state, 'transfer'), { choice, post, choiceTime: db.now })
  await audit(db, ctx, {
    action: choice === 'late' ? 'transfer.lapsed' : 'transfer.chosen',
    entity: 'reduction_name',
    entityId: name.id,
    before: { choice: name.choice, code: signup.code },
    after: { choice, toCode: post.code },
  })
  const text = choice === 'late' ? transferTexts.moved(exam.examName, post.codeName) : transferTexts.chosen(exam.examName, post.codeName)
  await tellPerson(
    deps,
    db,
    { userId: name.userId, examId: exam.id, eventKey: `transfer.${choice}:${name.id}:${signup.signVersion + 1}` },
    text,
  )
}

/** Lets somebody out whose post is cancelled: unpaid fees are void, paid ones go back (domain 4.4). */
export const letOut = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  { exam, signup, name }: Listed,
  why: 'chosen' | 'late' | 'refused',
): Promise<'refunding' | 'done'> => {
  const state = why === 'late' ? reductionStates.late : reductionStates.refunded
  await leaveExam(db, ctx, signup, state, transferTexts.left(exam.examName, name.fromCode, 0, why).content.zh)
  const refundFen = await deps.pay.paidFen(db, signup.id)
  const goesBack = await deps.pay.giveAllBack(db, signup.id, name.fromCode)
  const to = step(transferMachine, name.state, goesBack ? 'refund' : 'leave')
  const choice = why === 'chosen' ? 'refund' : why === 'late' ? 'late' : name.choice
  await moved(db, name, to, { choice, post: null, choiceTime: db.now })
  if (!goesBack && why === 'late') await storeReductionState(db, [signup.id], reductionStates.refunded)
  await deps.dropSeats(db, signup.id)
  await audit(db, ctx, {
    action: why === 'chosen' ? 'transfer.chosen' : 'transfer.lapsed',
    entity: 'reduction_name',
    entityId: name.id,
    before: { choice: name.choice, code: signup.code },
    after: { choice, refundFen },
  })
  const text = transferTexts.left(exam.examName, await postName(db, exam.id, name.fromCode), refundFen, why)
  await tellPerson(
    deps,
    db,
    { userId: name.userId, examId: exam.id, eventKey: `transfer.left:${name.id}:${signup.signVersion}` },
    text,
    '/signup/examPay',
  )
  return goesBack ? 'refunding' : 'done'
}

/** The new post was passed: the fee carries over, and its difference is settled. */
export const arrive = async (deps: ReductionDeps, db: TenantDb, ctx: Ctx | undefined, { exam, signup, name }: Listed) => {
  await moved(db, name, step(transferMachine, name.state, 'pass'), {})
  await storeReductionState(db, [signup.id], reductionStates.moved)
  const payState = await deps.pay.settlePost(db, signup.id)
  const dueFen = await deps.pay.dueFen(db, signup.id)
  const post = await postName(db, exam.id, signup.code ?? '')
  await audit(db, ctx, {
    action: 'transfer.settled',
    entity: 'reduction_name',
    entityId: name.id,
    before: { code: name.fromCode },
    after: { code: signup.code, dueFen },
  })
  await tellPerson(
    deps,
    db,
    { userId: name.userId, examId: exam.id, eventKey: `transfer.passed:${name.id}:${signup.signVersion}` },
    transferTexts.passed(exam.examName, post, dueFen),
    dueFen > 0 ? '/signup/examPay' : '/signup/myExam',
  )
  await deps.message.sendSmsByDay(db, { userId: name.userId, examId: exam.id }, 'transfer-result', {
    exam: exam.examName,
    post,
    result: transferResults.passed.zh,
  })
  return payState
}

/** The new post was refused: whoever still has time chooses again, everybody else gets the money back. */
export const turnBack = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx,
  listed: Listed,
  facts: { readonly choiceEnd: Date; readonly remark: string; readonly code: string | null },
): Promise<void> => {
  const { exam, signup, name } = listed
  const post = await postName(db, exam.id, facts.code ?? '')
  await deps.message.sendSmsByDay(db, { userId: name.userId, examId: exam.id }, 'transfer-result', {
    exam: exam.examName,
    post,
    result: transferResults.refused.zh,
  })
  if (ctx.arrivedAt >= facts.choiceEnd) return void (await letOut(deps, db, ctx, listed, 'refused'))
  await moved(db, name, step(transferMachine, name.state, 'refuse'), { choice: 'none', post: null })
  await storeReductionState(db, [signup.id], reductionStates.choosing)
  await audit(db, ctx, {
    action: 'transfer.reopened',
    entity: 'reduction_name',
    entityId: name.id,
    before: { choice: name.choice, toCode: facts.code },
    after: { choice: 'none' },
    ...(facts.remark === '' ? {} : { reason: facts.remark }),
  })
  await tellPerson(
    deps,
    db,
    { userId: name.userId, examId: exam.id, needSure: true, eventKey: `transfer.refused:${name.id}:${signup.signVersion}` },
    transferTexts.refused(exam.examName, post, facts.remark, toEndMinute(facts.choiceEnd)),
  )
}
