import { refuseExam } from '#contract/exam/exam.errors.ts'
import { type ExamEvent, type ExamState, examMachine, stateOf } from '#contract/exam/exam.state.ts'
import { isExamCode } from '#contract/exam/exam-code.ts'
import { isWithin } from '#contract/exam/window.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import { audit } from '#kernel/audit.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, lockExamForChange } from '../data/exam.repo.ts'
import { addChanges, removeExamRows } from '../data/exam-write.repo.ts'
import { hasAnySignup, hasSubmitted } from '../data/signup-facts.repo.ts'
import type { ReleaseProblem } from '../domain/release-check.ts'
import { drawSeeds } from './draw-seeds.ts'
import { stateLabel } from './exam-guard.ts'
import { type CheckOutside, problemsOf } from './release-problems.ts'

const examById = async (db: TenantDb, id: string): Promise<ExamRow> => {
  const exam = await lockExamForChange(db, id)
  if (!exam) throw new Refused(refuseExam('exam/no-exam', {}))
  return exam
}

const move = async (
  ctx: Ctx,
  db: TenantDb,
  exam: ExamRow,
  event: ExamEvent,
  set: Record<string, unknown>,
  reason?: string,
): Promise<ExamState> => {
  const to = step(examMachine, exam.state, event)
  if (!to) throw new Refused(refuseExam('exam/wrong-state', { state: stateLabel(exam.state) }))
  if (!(await transition(db, 'examination', exam.id, { from: exam.state, to }, set)))
    throw new Refused(refuse('kernel/changed-meanwhile', {}))
  const past: Record<ExamEvent, string> = {
    release: 'released',
    withdraw: 'withdrawn',
    close: 'closed',
    reopen: 'reopened',
    archive: 'archived',
  }
  await audit(db, ctx, {
    action: `examination.${past[event]}`,
    entity: 'examination',
    entityId: exam.id,
    before: { state: exam.state },
    after: { state: to },
    ...(reason ? { reason } : {}),
  })
  return to
}

/** Releases or withdraws. A release draws and publishes the seeds of the seat draw before anybody has signed up (decision 4.9). */
export const releaseOrWithdraw = async (
  ctx: Ctx,
  db: TenantDb,
  cipher: FieldCipher,
  hooks: readonly CloseHook[],
  outside: CheckOutside,
  input: { readonly id: string; readonly state?: number; readonly dryRun?: number },
) => {
  const exam = await examById(db, input.id)
  const shown = (list: readonly ReleaseProblem[]) => list.map(({ path, message }) => ({ path, msg: ctx.say(message) }))
  if (input.state === 0) {
    if (await hasSubmitted(db, exam.id)) throw new Refused(refuseExam('exam/has-signups', { what: { zh: '撤回发布', en: 'withdrawn' } }))
    const state = await move(ctx, db, exam, 'withdraw', { release_at: null, release_by: null })
    return { state: examMachine.wire[state], problems: [], warnings: [] }
  }
  const { problems, warnings } = await problemsOf(db, exam, outside)
  if (input.dryRun === 1) return { state: examMachine.wire[exam.state], problems: shown(problems), warnings: shown(warnings) }
  if (exam.state !== 'draft') throw new Refused(refuseExam('exam/wrong-state', { state: stateLabel(exam.state) }))
  if (problems.length > 0)
    throw new Refused(refuseExam('exam/not-ready', { count: problems.length }, { data: { problems: shown(problems) } }))
  const state = await move(ctx, db, exam, 'release', { release_at: db.now, release_by: db.actor.userId })
  await drawSeeds(db, cipher, exam.id)
  for (const hook of hooks) await hook(db, exam.id)
  return { state: examMachine.wire[state], problems: [], warnings: shown(warnings) }
}

/** Work of other modules that belongs to a release or to closing, inside its transaction (open payment orders are closed first). */
export type CloseHook = (db: TenantDb, examId: string) => Promise<void>

/**
 * Closes an examination, archives a closed one, or takes a closing back: `state` is where it is to go, closed where none is named.
 * Refusals: exam/reason-required, exam/confirm-code (while sign-up is open), kernel/forbidden, exam/wrong-state,
 * kernel/changed-meanwhile.
 */
export const closeOrReopen = async (
  ctx: Ctx,
  db: TenantDb,
  hooks: readonly CloseHook[],
  input: { readonly id: string; readonly state?: number; readonly reason?: string; readonly confirmCode?: string },
): Promise<{ state: number }> => {
  const exam = await examById(db, input.id)
  const wanted = input.state === undefined ? 'closed' : stateOf(input.state)
  const reason = (input.reason ?? '').trim()
  const missing = (field: string, key: 'exam/reason-required' | 'exam/confirm-code') => {
    const refusal = refuseExam(key, {})
    return new Refused({ ...refusal, data: { fields: [{ field, msg: ctx.say(refusal.text) }] } })
  }
  if (wanted === 'archived') return { state: examMachine.wire[await move(ctx, db, exam, 'archive', {}, reason)] }
  if (reason === '') throw missing('reason', 'exam/reason-required')
  if (wanted === 'released') {
    // Only the administrator of the tenant may take a closing back (domain 4.1).
    if (!ctx.session?.roleAliases.has('admin')) throw new Refused(refuse('kernel/forbidden', {}))
    const state = await move(ctx, db, exam, 'reopen', { close_at: null, close_by: null, close_reason: null }, reason)
    await addChanges(db, exam.id, [{ zh: `考试重新开放：${reason}`, en: `The examination was reopened: ${reason}` }])
    return { state: examMachine.wire[state] }
  }
  const isOpen = exam.state === 'released' && isWithin(ctx.arrivedAt.getTime(), exam.signBegin?.getTime(), exam.signEnd?.getTime())
  if (isOpen && !isExamCode(input.confirmCode, exam.examCode)) throw missing('confirmCode', 'exam/confirm-code')
  for (const hook of hooks) await hook(db, exam.id)
  const state = await move(ctx, db, exam, 'close', { close_at: db.now, close_by: db.actor.userId, close_reason: reason }, reason)
  await addChanges(db, exam.id, [{ zh: `考试关闭：${reason}`, en: `The examination was closed: ${reason}` }])
  return { state: examMachine.wire[state] }
}

/** Deletes drafts nobody signed up for (domain 5.1). */
export const removeDrafts = async (ctx: Ctx, db: TenantDb, ids: readonly string[]): Promise<{ removed: number }> => {
  const wanted = [...new Set(ids)].sort()
  if (wanted.length === 0) throw new Refused(refuse('kernel/select-one', {}))
  const exams: ExamRow[] = []
  for (const id of wanted) exams.push(await examById(db, id))
  for (const exam of exams)
    if (exam.state !== 'draft' || (await hasAnySignup(db, exam.id))) throw new Refused(refuse('kernel/in-use', { what: exam.examName }))
  await removeExamRows(db, wanted)
  for (const exam of exams)
    await audit(db, ctx, {
      action: 'examination.removed',
      entity: 'examination',
      entityId: exam.id,
      before: { examName: exam.examName, examCode: exam.examCode },
    })
  return { removed: wanted.length }
}
