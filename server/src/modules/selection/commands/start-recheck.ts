import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { startRecheck } from '#contract/selection/selection.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { listUnreleased } from '../data/exam.repo.ts'
import { countOff, countsInReview, listSelectionPosts, listUncalled } from '../data/person.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { callToReview, lockSelection } from './fill.ts'
import { inHours, ruleOf } from './policy.ts'

/**
 * Calls everybody on the shortlist of the released results who was not called. Whoever came onto it by a correction is called when it runs again; nobody
 * is called twice.
 */
export const startReview = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, input: InputOf<typeof startRecheck>) => {
  await lockSelection(db, input.examId)
  const exam = await findExam(db, input.examId)
  if (!exam || exam.state === 'draft') return refuse('kernel/not-found', {})
  // Whoever is called has to answer: of an examination that is over nobody is.
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  const waiting = await listUnreleased(db, exam.id, false)
  if (waiting.length > 0) return refuseSelection('selection/not-released', { papers: waiting.join('、') })
  const rule = await ruleOf(db, exam.id)
  const deadline = input.deadline === undefined ? inHours(db.now, rule.confirmHours) : fromWireTime(input.deadline)
  if (deadline === undefined || deadline <= ctx.arrivedAt) return deadlinePast(ctx)
  const people = await listUncalled(db, exam.id)
  const inReview = await countsInReview(db, exam.id)
  const byPost = Map.groupBy(people, ({ code }) => code)
  const posts = (await listSelectionPosts(db, exam.id)).map(post => ({ ...post, people: byPost.get(post.code) ?? [] }))
  const shown = posts.map(({ code, codeName, curNum, people: called }) => ({
    ...{ code, codeName, places: curNum * exam.shortlistRatio },
    called: inReview.get(code) ?? 0,
    now: called.length,
  }))
  if (input.dryRun !== 1) {
    if (people.length === 0) return refuseSelection('selection/nobody', {})
    const by = { ctx, name: sessionOf(ctx).realName }
    const stood = new Map(shown.map(({ code, places, called }) => [code, { places, remaining: called }]))
    const placesOf = (code: string) => stood.get(code) ?? { places: 0, remaining: 0 }
    const all = posts.flatMap(post => post.people)
    // Whom the results list as moved up stands in for somebody who was out before anybody was called.
    for (const kind of [1, 2] as const) {
      const called = all.filter(person => (person.shortlist === 2 ? 2 : 1) === kind)
      await callToReview(kit, db, exam, called, { kind, deadline, by, placesOf })
    }
  }
  return {
    people: people.length,
    off: await countOff(db, exam.id),
    deadline: toWireTime(deadline),
    posts: shown.filter(post => post.now > 0 || post.called > 0),
  }
}

const deadlinePast = (ctx: Ctx): Refusal => {
  const refusal = refuseSelection('selection/deadline-past', {})
  return { ...refusal, data: { fields: [{ field: 'deadline', msg: ctx.say(refusal.text) }] } }
}
