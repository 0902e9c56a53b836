import { isExamCode } from '#contract/exam/exam-code.ts'
import { countWorkingDays } from '#contract/exam/window.ts'
import { askAbout } from '#contract/kernel/asking.ts'
import { dayDoubts, dayProblem, examBegan } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toEndMinute, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { endSelection, openStages, saveStage, stageList } from '#contract/selection/selection.routes.ts'
import { callMachine, type StepState, stepMachine } from '#contract/selection/selection.state.ts'
import { stageNames, stage as stages } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam } from '#modules/exam/index.ts'
import { readPolicy } from '#modules/news/index.ts'
import { listUnreleased } from '../data/exam.repo.ts'
import { pageStages } from '../data/list.repo.ts'
import {
  countInStages,
  countOpen,
  endOthers,
  findPerson,
  listSelectionPosts,
  lockPeople,
  moveStep,
  type PersonRow,
} from '../data/person.repo.ts'
import { listObjected, listPublicity } from '../data/publicity.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { nextStep, type StageResult } from '../domain/step.ts'
import { enteredNotice, failingNotice, hiredNotice, link, notChosenNotice } from '../templates/notices.ts'
import { beginRecheck } from './answer.ts'
import { type By, type Filled, fillStages, lockSelection } from './fill.ts'
import { leaveStage } from './leave.ts'
import { inDays, ruleOf } from './policy.ts'
import { unitsFor } from './scope.ts'

/** Chooses who enters the medical check: as many as each post has places, by total and rank. A trial writes nothing. */
export const chooseForMedical = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof openStages>) => {
  await lockSelection(db, input.examId)
  const exam = await findExam(db, input.examId)
  if (!exam || exam.state === 'draft') return refuse('kernel/not-found', {})
  const waiting = await listUnreleased(db, exam.id, true)
  if (waiting.length > 0) return refuseSelection('selection/interview-not-released', { papers: waiting.join('、') })
  const by = { ctx, name: sessionOf(ctx).realName }
  const picks = new Set(input.picks === undefined ? [] : idsOf(input.picks))
  const shown = []
  for (const { code, codeName } of await listSelectionPosts(db, exam.id)) {
    // Whoever fills a place that was held before stands in for somebody.
    const kind = (await countInStages(db, exam.id, code)) > 0 ? 2 : 1
    const filled = await fillStages(kit, db, exam, code, { kind, by, picks })
    shown.push({ code, codeName, ...describe(filled) })
  }
  const people = shown.reduce((sum, post) => sum + post.now, 0)
  const posts = shown.filter(post => post.held > 0 || post.now > 0 || post.tied.length > 0)
  if (input.dryRun === 1) throw new Trial({ people, posts })
  if (people === 0) {
    const tied = posts.find(post => post.tied.length > 0)
    return tied
      ? refuseSelection('selection/tied', {
          ...{ code: tied.code, count: tied.tied.length, rank: tied.tied[0]?.rank ?? 0 },
          places: tied.places - tied.held,
        })
      : refuseSelection('selection/nobody-open', {})
  }
  return { people, posts }
}
const describe = ({ places, held, entered, tie }: Filled) => ({
  ...{ places, held, now: entered.length },
  tied: (tie?.people ?? []).map(({ signupId, name, rank, score }) => ({ signupId, name, rank, total: score })),
})
type Chosen = {
  readonly people: number
  readonly posts: readonly (ReturnType<typeof describe> & { readonly code: string; readonly codeName: string })[]
}
/** Leaves the transaction, so that everything a trial wrote is undone, with what it would have been. */
class Trial extends Error {
  readonly chosen: Chosen
  constructor(chosen: Chosen) {
    super('a trial')
    this.chosen = chosen
  }
}
export const openOrTry = async (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof openStages>) => {
  try {
    return await ctx.tx(async db => {
      const done = await chooseForMedical(kit, ctx, db, input)
      if (isRefusal(done)) throw new Refused(done)
      return done
    })
  } catch (error) {
    if (error instanceof Trial) return error.chosen
    throw error
  }
}

/** A page of everybody who came to the medical check or further. */
export const listStages = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof stageList>) => {
  if (!(await findExam(db, input.examId))) return refuse('kernel/not-found', {})
  const { current, size, offset, ...filter } = sliceOf(input)
  const { rows, total, counts } = await pageStages(db, { ...filter, units: unitsFor(sessionOf(ctx)) }, size, offset)
  const records = rows.map(({ step, until, callState, callDeadline, ticketNo: _, ...row }) => ({
    ...row,
    state: stepMachine.wire[step as StepState],
    until: until && toWireTime(until),
    callState: callState === null ? null : callMachine.wire[callState as keyof typeof callMachine.wire],
    callDeadline: callDeadline && toWireTime(callDeadline),
  }))
  return { ...toPage(records, total, current, size), counts } as never
}

const namesOf = (people: readonly PersonRow[]): string => people.map(({ name }) => name).join('、')

/** People whose list was not public long enough: the required working days of a notice that named them, all over (amendment A1). */
const refusePublicity = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, people: readonly PersonRow[]): Promise<Refusal | undefined> => {
  const ids = people.map(({ signupId }) => signupId)
  const policy = await readPolicy(kit, db)
  const runs = await listPublicity(db, ids)
  const isDone = ({ signupId }: PersonRow): boolean =>
    runs.some(
      run =>
        run.signupId === signupId &&
        run.until !== null &&
        run.until <= ctx.arrivedAt &&
        countWorkingDays(run.from.getTime(), run.until.getTime() - 1, policy.holidays, policy.workdays) >= policy.publicityDays,
    )
  const early = people.filter(person => !isDone(person))
  if (early.length > 0) return refuseSelection('selection/no-publicity', { names: namesOf(early), days: policy.publicityDays })
  const objected = new Set(await listObjected(db, ids))
  const open = people.filter(({ signupId }) => objected.has(signupId))
  return open.length > 0 ? refuseSelection('selection/objection-open', { names: namesOf(open) }) : undefined
}

interface Outcome {
  readonly result: StageResult
  readonly remark: string | null
  readonly date: string | null
  readonly by: By
}

/** The next stage, or the hire. */
const pass = async (
  kit: SelectionKit,
  ctx: Ctx,
  db: TenantDb,
  exam: ExamRow,
  person: PersonRow,
  { remark, date, by }: Outcome,
): Promise<void> => {
  const isHired = person.stage === stages.hire
  const next = person.stage + 1
  const to: StepState = isHired ? 'passed' : 'open'
  const moved = await moveStep(db, person, { step: to, ...(isHired ? {} : { stage: next }), date, remark, until: null })
  if (!moved) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  const facts = { ...(remark ? { reason: remark } : {}) }
  const of = { examId: exam.id, code: person.code, signupId: person.signupId, userId: person.userId, byName: by.name }
  await insertStep(db, { ...of, stage: person.stage, kind: isHired ? 'hired' : 'stepPassed', facts: { stage: person.stage, ...facts } })
  if (!isHired) await insertStep(db, { ...of, stage: next, kind: 'entered', facts: { stage: next } })
  await kit.message.notify(db, {
    ...{ userId: person.userId, examId: exam.id, kind: 6, link },
    eventKey: isHired ? `selection-hired:${person.signupId}` : `selection-stage:${person.signupId}:${next}`,
    ...(isHired ? hiredNotice(exam.examName) : enteredNotice(exam.examName, next)),
  })
  await audit(db, ctx, {
    action: 'selection.judged',
    entity: 'signup',
    entityId: person.signupId,
    before: { stage: person.stage, step: stepMachine.wire[person.step] },
    after: { stage: isHired ? person.stage : next, step: stepMachine.wire[to], ...(date ? { date } : {}) },
    ...(remark ? { reason: remark } : {}),
  })
}

/** The medical check was not passed the first time: a second one may be asked for until a deadline. */
const failOnce = async (
  kit: SelectionKit,
  ctx: Ctx,
  db: TenantDb,
  exam: ExamRow,
  person: PersonRow,
  { remark, date, by }: Outcome,
): Promise<void> => {
  const { medicalAskDays } = await ruleOf(db, exam.id)
  const until = inDays(ctx.arrivedAt, medicalAskDays)
  if (!(await moveStep(db, person, { step: 'failing', date, remark, until }))) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  const deadline = toEndMinute(until)
  await insertStep(db, {
    ...{
      examId: exam.id,
      code: person.code,
      signupId: person.signupId,
      userId: person.userId,
      stage: person.stage,
      kind: 'stepFailing',
      byName: by.name,
    },
    facts: { stage: person.stage, deadline, ...(remark ? { reason: remark } : {}) },
  })
  await kit.message.notify(db, {
    ...{ userId: person.userId, examId: exam.id, kind: 6, link, needSure: true, eventKey: `selection-failing:${person.signupId}` },
    ...failingNotice(exam.examName, deadline),
  })
  await audit(db, ctx, {
    action: 'selection.judged',
    entity: 'signup',
    entityId: person.signupId,
    before: { stage: person.stage, step: stepMachine.wire[person.step] },
    after: { stage: person.stage, step: stepMachine.wire.failing, until: deadline },
    ...(remark ? { reason: remark } : {}),
  })
}

/**
 * Records the outcome of one stage for several people, all or none (domain 4.11): the next stage, a second medical check, or out with whoever moves up.
 *
 * Refusals: kernel/not-found, selection/wrong-stage, remark-required, recheck-stage, recheck-late, no-publicity, objection-open.
 */
export const saveOutcomes = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof saveStage>) => {
  const session = sessionOf(ctx)
  const ids = [...new Set(idsOf(input.signupIds))]
  const first = await findPerson(db, ids[0] ?? '0')
  if (!first) return refuse('kernel/not-found', {})
  await lockSelection(db, first.examId)
  const exam = await findExam(db, first.examId)
  if (!exam) return refuse('kernel/not-found', {})
  const people = await lockPeople(db, ids)
  if (people.length !== ids.length || people.some(({ examId }) => examId !== exam.id)) return refuse('kernel/not-found', {})
  const result = input.result as StageResult
  const remark = input.remark?.trim() || null
  if (result === 4 && input.stage !== stages.medical) return refuseSelection('selection/recheck-stage', {})
  if ((result === 2 || result === 3) && remark === null) {
    const refusal = refuseSelection('selection/remark-required', {})
    return { ...refusal, data: { fields: [{ field: 'remark', msg: ctx.say(refusal.text) }] } }
  }
  const wrong = people.filter(person => person.stage !== input.stage || (result !== 4 && nextStep(result, person) === undefined))
  if (wrong.length > 0)
    return refuseSelection('selection/wrong-stage', {
      names: namesOf(wrong),
      stage: ctx.say(stageNames[input.stage] ?? { zh: '', en: '' }),
    })
  const late =
    result === 4 ? people.find(person => person.step !== 'failing' || !person.stepUntil || person.stepUntil <= ctx.arrivedAt) : undefined
  if (late) return refuseSelection('selection/recheck-late', { deadline: late.stepUntil ? toEndMinute(late.stepUntil) : '-' })
  if (result === 1 && input.stage === stages.publicity) {
    const refused = await refusePublicity(kit, ctx, db, people)
    if (refused) return refused
  }
  if (input.date) {
    const anchors = { now: toWireDay(ctx.arrivedAt), examBegan: toWireDay(examBegan(exam)) }
    const wrongDate = dayProblem('stageDate', input.date, anchors)
    if (wrongDate) return refuseField('date', wrongDate)
    const asked = askAbout(dayDoubts('stageDate', 'date', input.date, anchors), input.sure)
    if (asked) return asked
  }
  const outcome: Outcome = { result, remark, date: input.date ?? null, by: { ctx, name: session.realName } }
  let substitutes = 0
  for (const person of people) {
    if (result === 1) await pass(kit, ctx, db, exam, person, outcome)
    else if (result === 4) await beginRecheck(kit, ctx, db, exam, person, session.realName)
    else if (result === 2 && nextStep(2, person) === 'failing') await failOnce(kit, ctx, db, exam, person, outcome)
    else
      substitutes += await leaveStage(kit, db, exam, person, {
        ...{ remark, date: outcome.date, by: outcome.by },
        ...(result === 3 ? { event: 'giveUp', kind: 'gaveUp' } : { event: 'fail', kind: 'stepFailed' }),
      } as Parameters<typeof leaveStage>[4])
  }
  return { saved: people.length, substitutes }
}

/** The recruitment is over: everybody who took part and was not chosen is told so, and the time their data are kept begins. */
export const endAll = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof endSelection>) => {
  await lockSelection(db, input.examId)
  const exam = await findExam(db, input.examId)
  if (!exam || exam.state === 'draft') return refuse('kernel/not-found', {})
  if (!isExamCode(input.confirmCode, exam.examCode)) {
    const refusal = refuseSelection('selection/confirm-code', {})
    return { ...refusal, data: { fields: [{ field: 'confirmCode', msg: ctx.say(refusal.text) }] } }
  }
  const waiting = await listUnreleased(db, exam.id, true)
  if (waiting.length > 0) return refuseSelection('selection/interview-not-released', { papers: waiting.join('、') })
  const open = await countOpen(db, exam.id)
  if (open > 0) return refuseSelection('selection/still-open', { count: open })
  const out = await endOthers(db, exam.id)
  const { realName } = sessionOf(ctx)
  for (const { signupId, userId, code } of out) {
    await insertStep(db, { examId: exam.id, code, signupId, userId, stage: stages.out, kind: 'notChosen', byName: realName })
    await kit.message.notify(db, {
      ...{ userId, examId: exam.id, kind: 6, link, eventKey: `selection-ended:${signupId}` },
      ...notChosenNotice(exam.examName),
    })
  }
  await audit(db, ctx, { action: 'selection.ended', entity: 'examination', entityId: exam.id, after: { people: out.length } })
  return { people: out.length }
}
