import { toEndMinute } from '#contract/kernel/when.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { audit, auditEach } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { type ExamRow, findExam, findPost } from '#modules/exam/index.ts'
import { callKey, insertCalls, takeUntold } from '../data/call.repo.ts'
import { areInterviewTicketsOut, listUnreleased } from '../data/exam.repo.ts'
import {
  countInReview,
  countInStages,
  enterReview,
  enterStages,
  hasRecheck,
  nextByTotal,
  nextInRank,
  type RankedRow,
} from '../data/person.repo.ts'
import { insertStep, insertSteps } from '../data/step.repo.ts'
import type { Telling } from '../deps.ts'
import { calledNotice, enteredNotice, link, sceneOf } from '../templates/notices.ts'
import { inHours, ruleOf } from './policy.ts'

/** Who acts: nobody for the program by itself. */
export interface By {
  readonly ctx: Ctx | undefined
  readonly name: string | null
}

/** One decision at a time about the places of an examination; taken before anything is read. */
export const lockSelection = (db: TenantDb, examId: string): Promise<void> => lock(db, `selection|${examId}`)

/** Text messages of one transaction; each is sealed and put into the queue by itself. */
const textsAtOnce = 200
export const tellTask = 'selection.tell'

/** Text messages to people who were called and had none, some at a time. @returns whether some are left */
export const tellCalled = async ({ message }: Telling, db: TenantDb, examId: string): Promise<boolean> => {
  const calls = await takeUntold(db, examId, textsAtOnce)
  const exam = calls.length > 0 ? await findExam(db, examId) : undefined
  if (!exam) return false
  for (const { userId, kind, deadline } of calls)
    await message.sendSmsByDay(db, { userId, examId }, sceneOf(kind), { exam: exam.examName, deadline: toEndMinute(deadline) })
  return calls.length === textsAtOnce
}

/** Sends them; above a portion the queue sends the rest. */
const tell = async (kit: Telling, db: TenantDb, examId: string): Promise<void> => {
  if (await tellCalled(kit, db, examId)) await enqueue(db, tellTask, { examId }, { jobKey: `selection-tell-${examId}` })
}

/** Tells people that they have to answer until a deadline: in the system, to be confirmed. The text message is `tell`. */
const callAll = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  people: readonly Pick<RankedRow, 'signupId' | 'userId'>[],
  of: { readonly stage: number; readonly kind: 1 | 2; readonly deadline: Date },
): Promise<void> => {
  const calls = await insertCalls(db, people, { examId: exam.id, ...of })
  await kit.message.notifyEach(
    db,
    calls.map(({ id, userId }) => ({ userId, eventKey: callKey(id) })),
    { examId: exam.id, kind: 6, link, needSure: true, ...calledNotice(exam.examName, of.stage, of.kind, toEndMinute(of.deadline)) },
  )
}

/** Somebody whose re-review begins anew is called like the first time: they say again whether they take part. */
export const callAgain = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  person: { readonly signupId: string; readonly userId: string },
  kind: 1 | 2,
): Promise<void> => {
  const rule = await ruleOf(db, exam.id)
  await callAll(kit, db, exam, [person], { stage: stages.recheck, kind, deadline: inHours(db.now, rule.confirmHours) })
  await tell(kit, db, exam.id)
}

/** People whom one statement calls. */
const calledAtOnce = 1_000

/** How the places of a post stood when somebody was called. */
export interface Places {
  readonly places: number
  readonly remaining: number
}

/** Lets people into the re-review, each with the reason in the chain. */
export const callToReview = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  people: readonly RankedRow[],
  of: {
    readonly kind: 1 | 2
    readonly deadline: Date
    readonly by: By
    readonly otherId?: string
    readonly placesOf: (code: string) => Places
  },
): Promise<void> => {
  const deadline = toEndMinute(of.deadline)
  for (let from = 0; from < people.length; from += calledAtOnce) {
    const some = people.slice(from, from + calledAtOnce)
    await enterReview(db, exam.id, some, of.kind)
    await insertSteps(
      db,
      some.map(({ signupId, userId, code, rank, score }) => ({
        ...{ examId: exam.id, code, signupId, userId, stage: stages.recheck, byName: of.by.name },
        ...(of.otherId === undefined ? {} : { otherId: of.otherId }),
        kind: of.kind === 1 ? 'called' : 'substituted',
        facts: { rank, score, deadline, stage: stages.recheck, ...of.placesOf(code) },
      })),
    )
    await callAll(kit, db, exam, some, { stage: stages.recheck, kind: of.kind, deadline: of.deadline })
    await auditEach(
      db,
      of.by.ctx,
      some.map(({ signupId, code, rank }) => ({
        action: of.kind === 1 ? 'selection.called' : 'selection.substituted',
        entity: 'signup',
        entityId: signupId,
        after: { code, rank, stage: stages.recheck, deadline },
      })),
    )
  }
  if (people.length > 0) await tell(kit, db, exam.id)
}

/**
 * Somebody left the re-review: the next in rank move up, with everybody who shares their rank, until as many are in it as the post calls to the
 * interview, or the list ends (domain 4.3). Each answer of the question is a step of the chain. The selection of the examination is locked.
 * @returns how many moved up
 */
export const fillReview = async (kit: Telling, db: TenantDb, exam: ExamRow, code: string, otherId: string, by: By): Promise<number> => {
  const note = (kind: 'ticketsOut' | 'inCheck' | 'enough' | 'listEnded', places: number, remaining: number) =>
    insertStep(db, {
      examId: exam.id,
      code,
      stage: stages.recheck,
      kind,
      facts: { places, remaining, stage: stages.recheck },
      byName: null,
    })
  const post = await findPost(db, exam.id, code)
  const places = (post?.curNum ?? 0) * exam.shortlistRatio
  let remaining = await countInReview(db, exam.id, code)
  if (await areInterviewTicketsOut(db, exam.id)) {
    await note('ticketsOut', places, remaining)
    return 0
  }
  if (remaining >= places) {
    await note('enough', places, remaining)
    return 0
  }
  // Without the ranks nobody can say who is next: the list has not ended.
  if ((await listUnreleased(db, exam.id, false)).length > 0) {
    await note('inCheck', places, remaining)
    return 0
  }
  const rule = await ruleOf(db, exam.id)
  let moved = 0
  while (remaining < places) {
    const next = await nextInRank(db, exam.id, code)
    if (next.length === 0) {
      await note('listEnded', places, remaining)
      break
    }
    const now = { places, remaining }
    await callToReview(kit, db, exam, next, { kind: 2, deadline: inHours(db.now, rule.confirmHours), by, otherId, placesOf: () => now })
    remaining += next.length
    moved += next.length
  }
  return moved
}

/** People of one rank for whom there are not places enough. */
export interface Tie {
  readonly people: readonly RankedRow[]
  readonly places: number
}
export interface Filled {
  readonly places: number
  readonly held: number
  readonly entered: readonly RankedRow[]
  readonly tie: Tie | undefined
}

/**
 * Fills the places of a post after the interview by total and rank, one to one (domain 4.11). Where several share the last rank nobody is preferred by
 * the program: the office names whom. @param picks ids it named
 */
export const fillStages = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  code: string,
  of: { readonly kind: 1 | 2; readonly otherId?: string; readonly by: By; readonly picks: ReadonlySet<string> },
): Promise<Filled> => {
  const post = await findPost(db, exam.id, code)
  const places = post?.curNum ?? 0
  const held = await countInStages(db, exam.id, code)
  const afterRecheck = await hasRecheck(db, exam.id)
  const entered: RankedRow[] = []
  const rule = await ruleOf(db, exam.id)
  for (let free = places - held; free > 0; ) {
    const next = await nextByTotal(db, exam.id, code, afterRecheck)
    const chosen = next.length <= free ? next : next.filter(person => of.picks.has(person.signupId))
    if (chosen.length === 0 || chosen.length > free)
      return { places, held, entered, tie: next.length === 0 ? undefined : { people: next, places: free } }
    for (const person of chosen) {
      const { signupId, userId, rank, score } = person
      const remaining = places - free
      await enterStages(db, { ...person, examId: exam.id }, of.kind)
      const deadline = inHours(db.now, rule.confirmHours)
      await insertStep(db, {
        ...{ examId: exam.id, code, signupId, userId, stage: stages.medical, byName: of.by.name },
        ...(of.otherId === undefined ? {} : { otherId: of.otherId }),
        kind: of.kind === 1 ? 'entered' : 'substituted',
        facts: { rank, score, stage: stages.medical, places, remaining, ...(of.kind === 2 ? { deadline: toEndMinute(deadline) } : {}) },
      })
      if (of.kind === 2) {
        await callAll(kit, db, exam, [person], { stage: stages.medical, kind: 2, deadline })
        await tell(kit, db, exam.id)
      } else
        await kit.message.notify(db, {
          ...{ userId, examId: exam.id, kind: 6, link, eventKey: `selection-stage:${signupId}:${stages.medical}` },
          ...enteredNotice(exam.examName, stages.medical),
        })
      await audit(db, of.by.ctx, {
        action: of.kind === 1 ? 'selection.entered' : 'selection.substituted',
        entity: 'signup',
        entityId: signupId,
        after: { code, rank, stage: stages.medical },
      })
      entered.push(person)
      free -= 1
    }
  }
  return { places, held, entered, tie: undefined }
}

/** Somebody left a stage after the interview: the next by total move up, if the examination wants it. @returns how many */
export const substituteInStages = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  code: string,
  of: { readonly stage: number; readonly otherId: string; readonly by: By },
): Promise<number> => {
  const { substitute } = await ruleOf(db, exam.id)
  if (!substitute) {
    await insertStep(db, { examId: exam.id, code, stage: of.stage, kind: 'noSubstitution', facts: { stage: of.stage }, byName: null })
    return 0
  }
  if ((await listUnreleased(db, exam.id, true)).length > 0) {
    await insertStep(db, { examId: exam.id, code, stage: of.stage, kind: 'inCheck', facts: { stage: stages.medical }, byName: null })
    return 0
  }
  const { places, held, entered, tie } = await fillStages(kit, db, exam, code, {
    kind: 2,
    otherId: of.otherId,
    by: of.by,
    picks: new Set(),
  })
  const remaining = held + entered.length
  if (tie)
    await insertStep(db, {
      ...{ examId: exam.id, code, stage: stages.medical, kind: 'tied', byName: null },
      facts: { stage: stages.medical, rank: tie.people[0]?.rank ?? null, count: tie.people.length, places, remaining },
    })
  else if (remaining < places)
    await insertStep(db, {
      examId: exam.id,
      code,
      stage: stages.medical,
      kind: 'listEnded',
      facts: { stage: stages.medical, places, remaining },
      byName: null,
    })
  else if (entered.length === 0)
    await insertStep(db, {
      examId: exam.id,
      code,
      stage: stages.medical,
      kind: 'enough',
      facts: { stage: stages.medical, places, remaining },
      byName: null,
    })
  return entered.length
}
