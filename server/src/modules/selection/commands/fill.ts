import { toEndMinute } from '#contract/kernel/when.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type ExamRow, findPost } from '#modules/exam/index.ts'
import { callKey, insertCall } from '../data/call.repo.ts'
import { areInterviewTicketsOut, listUnreleased } from '../data/exam.repo.ts'
import {
  callPerson,
  countInReview,
  countInStages,
  enterStages,
  hasRecheck,
  nextByTotal,
  nextInRank,
  type RankedRow,
} from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
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

/** Tells somebody that they have to answer until a deadline: in the system, to be confirmed, and by text message. */
export const call = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  person: RankedRow,
  of: { readonly stage: number; readonly kind: 1 | 2; readonly deadline: Date },
): Promise<void> => {
  const { signupId, userId } = person
  const id = await insertCall(db, { examId: exam.id, signupId, userId, ...of })
  const deadline = toEndMinute(of.deadline)
  await kit.message.notify(db, {
    ...{ userId, examId: exam.id, kind: 6, link, needSure: true, eventKey: callKey(id) },
    ...calledNotice(exam.examName, of.stage, of.kind, deadline),
  })
  await kit.message.sendSmsByDay(db, { userId, examId: exam.id }, sceneOf(of.kind), { exam: exam.examName, deadline })
}

/** Lets somebody into the re-review, with its reason in the chain. */
export const callToReview = async (
  kit: Telling,
  db: TenantDb,
  exam: ExamRow,
  person: RankedRow,
  of: {
    readonly kind: 1 | 2
    readonly deadline: Date
    readonly by: By
    readonly otherId?: string
    readonly places: number
    readonly remaining: number
  },
): Promise<void> => {
  const { signupId, userId, code, rank, score } = person
  await callPerson(db, { signupId, userId, code, examId: exam.id }, { kind: of.kind, rank, score })
  await insertStep(db, {
    ...{ examId: exam.id, code, signupId, userId, stage: stages.recheck, byName: of.by.name },
    ...(of.otherId === undefined ? {} : { otherId: of.otherId }),
    kind: of.kind === 1 ? 'called' : 'substituted',
    facts: { rank, score, deadline: toEndMinute(of.deadline), stage: stages.recheck, places: of.places, remaining: of.remaining },
  })
  await call(kit, db, exam, person, { stage: stages.recheck, kind: of.kind, deadline: of.deadline })
  await audit(db, of.by.ctx, {
    action: of.kind === 1 ? 'selection.called' : 'selection.substituted',
    entity: 'signup',
    entityId: signupId,
    after: { code, rank, stage: stages.recheck, deadline: toEndMinute(of.deadline) },
  })
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
    for (const person of next)
      await callToReview(kit, db, exam, person, { kind: 2, deadline: inHours(db.now, rule.confirmHours), by, otherId, places, remaining })
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
      if (of.kind === 2) await call(kit, db, exam, person, { stage: stages.medical, kind: 2, deadline })
      else
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
