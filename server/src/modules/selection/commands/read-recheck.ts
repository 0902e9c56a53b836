import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import { can, stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { resultNoun } from '#contract/result/result.noun.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { chain, recheckList } from '#contract/selection/selection.routes.ts'
import { callMachine, recheckMachine } from '#contract/selection/selection.state.ts'
import { stageNames, stepText } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Session, sessionOf } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { type ExamRow, findExam } from '#modules/exam/index.ts'
import { mayRead } from '#modules/signup/index.ts'
import { listCalls } from '../data/call.repo.ts'
import { findReviewRow, listDecisions, pageReview, type ReviewRow } from '../data/list.repo.ts'
import { findPerson, listSelectionPosts } from '../data/person.repo.ts'
import { listSteps } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { askedPapers } from './papers.ts'
import { ruleOf } from './policy.ts'
import { presentCall } from './proof.ts'
import { callOf, mayReach, unitsFor } from './scope.ts'

/** Why this person may not decide; undefined where they may. */
const barOf = (ctx: Ctx, session: Session, exam: ExamRow, row: ReviewRow): string | undefined => {
  if (!session.permissions.has('recheck_decide')) return ctx.say({ zh: '您没有复审权限', en: 'You may not decide here' })
  if (row.didReview && !exam.allowSameReviewer) return ctx.say(refuseSelection('selection/same-reviewer', {}).text)
  const state = stateOfWire(recheckMachine, row.reviewState) ?? 'none'
  return can(recheckMachine, state, 'giveUp') ? undefined : ctx.say(recheckMachine.label[state])
}
const present = (ctx: Ctx, session: Session, exam: ExamRow, { didReview, callState, deadline, reviewTime, ...row }: ReviewRow) => ({
  ...row,
  reviewTime: reviewTime && toWireTime(reviewTime),
  callState: callState === null ? null : callMachine.wire[callState as keyof typeof callMachine.wire],
  deadline: deadline && toWireTime(deadline),
  mayDecide: barOf(ctx, session, exam, { ...row, didReview, callState, deadline, reviewTime }) === undefined,
})

/** A page of the re-review, by post and rank. */
export const listReview = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof recheckList>) => {
  const session = sessionOf(ctx)
  const exam = await findExam(db, input.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const { current, size, offset, callState, ...filter } = sliceOf(input)
  const { rows, total } = await pageReview(
    db,
    { ...filter, callState: callOf(callState), units: unitsFor(session) },
    session.userId,
    size,
    offset,
  )
  return toPage(
    rows.map(row => present(ctx, session, exam, row)),
    total,
    current,
    size,
  ) as never
}

/** One person with papers, calls, and what was decided before; that somebody looked is in the trail. */
export const readReview = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, signupId: string) => {
  const session = sessionOf(ctx)
  const [person, row] = [await findPerson(db, signupId), await findReviewRow(db, signupId, session.userId)]
  if (!person || !row || !mayReach(session, person) || !(await mayRead(db, session, signupId))) return refuse('kernel/not-found', {})
  const exam = await findExam(db, person.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const asked = await askedPapers(kit, db, person)
  const reader = { tenantId: ctx.tenantId, userId: session.userId }
  const rule = await ruleOf(db, exam.id)
  const calls = []
  for (const call of await listCalls(db, signupId)) calls.push(await presentCall(db, call, rule.contacts))
  await audit(db, ctx, { action: 'recheck.read', entity: 'signup', entityId: signupId })
  const labelOf = (file: (typeof asked)[number]): string => ctx.say({ zh: file.fileLabel, en: file.fileLabelEn || file.fileLabel })
  return {
    ...present(ctx, session, exam, row),
    refusal: barOf(ctx, session, exam, row) ?? null,
    files: asked.map(file => ({
      fileKey: file.fileKey,
      fileLabel: labelOf(file),
      required: Number(file.required),
      uploads: person.files
        .filter(one => one.fileKey === file.fileKey)
        .map(({ size, ...one }) => ({
          ...one,
          fileLabel: labelOf(file),
          sizeBytes: size,
          link: kit.file.linkFor(reader, one.fileId, ctx.arrivedAt),
          checks: null,
        })),
    })),
    advisements: person.advisements.map(({ label, advice }) => ({ label: label ?? '', advice })),
    calls,
    records: (await listDecisions(db, signupId)).map(({ createdAt, ...record }) => ({ ...record, time: toWireTime(createdAt) })),
    stage: person.stage,
  } as never
}

/** Every step of the posts with its reason. */
export const readChain = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof chain>) => {
  const session = sessionOf(ctx)
  const exam = await findExam(db, input.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const steps = await listSteps(db, { examId: exam.id, code: input.code, signupId: input.signUpId, units: unitsFor(session) })
  // Ranks and scores stand in the words of a step: who may not see them in lists does not read them here.
  const seesScores = refuseUntold(ctx, [markOf(resultNoun, 'score')]) === undefined
  const program = ctx.say({ zh: '系统', en: 'The program' })
  const posts = await listSelectionPosts(db, exam.id, input.code)
  return posts
    .map(({ code, codeName, unitName }) => ({
      ...{ code, codeName, unitName },
      steps: steps
        .filter(step => step.code === code)
        .map(({ id, stage, kind, facts, today, name, otherName, byName, createdAt }) => ({
          ...{ id, stage, kind, name, otherName },
          stageName: ctx.say(stageNames[stage] ?? { zh: '', en: '' }),
          text: ctx.say(seesScores ? stepText(kind, facts, today) : stepText(kind, { ...facts, rank: null, score: null })),
          byName: byName ?? program,
          time: toWireTime(createdAt),
        })),
    }))
    .filter(post => post.steps.length > 0)
}
