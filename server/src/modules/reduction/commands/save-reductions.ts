import { isFor } from '#contract/file/file-use.ts'
import { askAbout } from '#contract/kernel/asking.ts'
import { dateDoubts, dateProblem } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { type ChoiceWindow, choiceWindowOf, choiceWindowProblem } from '#contract/reduction/choice-window.ts'
import { refuseReduction } from '#contract/reduction/reduction.errors.ts'
import type { saveReductions as route } from '#contract/reduction/reduction.routes.ts'
import { actionLabels, movesPeople } from '#contract/reduction/reduction.state.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { addChanges, type ExamRow, findExam, listPosts, lockExam, type PostRow, writeCuts } from '#modules/exam/index.ts'
import { storeReductionState } from '#modules/signup/index.ts'
import { addNames } from '../data/name.repo.ts'
import {
  type CutToKeep,
  countValid,
  findReduction,
  listActive,
  lockSignupsOf,
  markPublished,
  type SignupOfPost,
  saveDrafts,
} from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import { concernOf, isStaying } from '../domain/concerned.ts'
import { cutProblem, cutsOf, type WantedCut, wantedCut } from '../domain/decision.ts'
import { orderTexts, tellConcerned, tellPeople } from './tell.ts'

type Input = InputOf<typeof route>
type Posts = ReadonlyMap<string, PostRow>

/** When the numbers stand: payments and the review are over. Null where the examination does not say. */
export const decidesFrom = ({ examineEnd, payEnd, feeMode }: ExamRow): Date | null => {
  const ends = [examineEnd, feeMode === 0 ? null : payEnd].flatMap(end => end ?? [])
  return ends.length === 0 ? null : new Date(Math.max(...ends.map(end => end.getTime())))
}

const expectTime = (exam: ExamRow, now: Date): void => {
  if (exam.state !== 'released') throw new Refused(refuseReduction('reduction/exam-not-open', {}))
  const from = decidesFrom(exam)
  if (from && now < from) throw new Refused(refuseReduction('reduction/too-early', { until: toWireEnd(from) }))
}

/** Whoever loses a post needs time to choose that has not passed. */
const expectWindow = (window: ChoiceWindow, now: Date): void => {
  const found = choiceWindowProblem(window, now)
  if (found) throw new Refused(refuseField(found.field, found.problem))
}

/** All that is wrong with the rows, each by its post. */
const expectRows = (ctx: Ctx, cuts: readonly WantedCut[], posts: Posts): void => {
  const leaving = new Set(cuts.filter(cut => movesPeople(cut.action)).map(cut => cut.code))
  const seen = new Set<string>()
  const items: { readonly code: string; readonly msg: Label }[] = []
  for (const cut of cuts) {
    const twice = seen.has(cut.code) ? label(`岗位 ${cut.code} 出现两次`, `Post ${cut.code} stands twice`) : undefined
    const msg = twice ?? cutProblem(cut, posts, leaving)
    if (msg) items.push({ code: cut.code, msg })
    seen.add(cut.code)
  }
  const [first] = items
  if (!first) return
  const data = { items: items.slice(0, 200).map(({ code, msg }) => ({ code, msg: ctx.say(msg) })) }
  throw new Refused(refuseReduction('reduction/rows', { count: items.length, first: first.msg }, { data }))
}

/** Approvals that were uploaded by whoever decides. */
const attachApprovals = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx,
  cuts: readonly WantedCut[],
  ids: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const { code, approveFile } of cuts) {
    const id = ids.get(code)
    if (approveFile === undefined || id === undefined) continue
    const { userId } = sessionOf(ctx)
    if (!isFor('cutApproval', await deps.file.find(db, approveFile), { userId })) throw new Refused(refuse('kernel/not-found', {}))
    const kept = await deps.file.attach(db, [approveFile], sessionOf(ctx).userId, 'post-reduction', id)
    if (kept !== 1) throw new Refused(refuse('kernel/not-found', {}))
  }
}

const factsOf = ({ examine, payState, reductionState }: SignupOfPost) => ({
  ...{ examine, payState },
  isMoving: reductionState !== reductionStates.none && reductionState !== reductionStates.moved,
})

interface Published {
  readonly published: number
  readonly joined: number
  readonly told: number
}

const changeLine = ({ codeName }: PostRow, { code, action, afterNum, toCodes }: WantedCut): Label => {
  const [zh, en] = [`岗位 ${code} ${codeName}`, `Post ${code} ${codeName}`]
  switch (action) {
    case 'reduce':
      return label(`${zh}：招聘人数核减为 ${afterNum} 人`, `${en}: ${afterNum} places are left`)
    case 'cancel':
      return label(`${zh}：取消`, `${en}: cancelled`)
    case 'merge':
      return label(`${zh}：并入 ${toCodes.join('、')}`, `${en}: merged into ${toCodes.join(', ')}`)
    case 'keep':
      return label(`${zh}：经批准保留`, `${en}: kept by approval`)
  }
}

/** Publishes decisions that are kept: posts, lists, messages and the public record in one transaction. */
const publish = async (
  deps: ReductionDeps,
  db: TenantDb,
  exam: ExamRow,
  posts: Posts,
  signups: readonly SignupOfPost[],
  { cuts, ids }: { readonly cuts: readonly WantedCut[]; readonly ids: ReadonlyMap<string, string> },
): Promise<Published> => {
  if ((await markPublished(db, [...ids.values()])) !== ids.size) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  await writeCuts(db, exam.id, cutsOf(cuts, posts))
  let [joined, told] = [0, 0]
  for (const cut of cuts) {
    const [post, id] = [posts.get(cut.code), ids.get(cut.code) ?? '0']
    const reduction = await findReduction(db, id)
    if (!post || !reduction || cut.action === 'keep') continue
    const ofPost = signups.filter(signup => signup.code === cut.code)
    const people = ofPost.filter(signup => isStaying(factsOf(signup)))
    if (movesPeople(cut.action)) {
      for (const [concern, some] of Map.groupBy(ofPost, signup => concernOf(factsOf(signup)))) {
        if (concern === undefined || concern === 'chooses') continue
        // Of a post that is not there any more nothing is owed; what was paid goes back when the review has said who may choose. Money for a fee that has lapsed may
        // still be on its way: it was paid in time.
        for (const { id: signupId } of concern === 'lapsed' ? [] : some) await deps.pay.voidDues(db, signupId, ownReasons.postCancelled.zh)
        const userIds = some.map(person => person.userId)
        told += await tellConcerned(deps, db, exam, post.codeName, reduction, concern, userIds)
      }
      const added = await addNames(db, { examId: exam.id, reductionId: id, code: cut.code, joinWay: 1 }, people)
      await storeReductionState(db, added, reductionStates.choosing)
      for (const signupId of added) await deps.dropSeats(db, signupId)
      joined += added.length
    }
    const userIds = people.map(person => person.userId)
    told += await tellPeople(deps, db, exam, post.codeName, reduction, userIds)
    if (userIds.length > 0) await orderTexts(db, id)
  }
  await addChanges(
    db,
    exam.id,
    cuts.flatMap(cut => {
      const post = posts.get(cut.code)
      return post ? [changeLine(post, cut)] : []
    }),
  )
  return { published: ids.size, joined, told }
}

/**
 * Keeps decisions about posts, or publishes them (domain 4.4): what a client says of numbers is what it wants, never what it counted.
 *
 * Refusals: kernel/not-found, reduction/exam-not-open, too-early, rows (items), published, kernel/invalid-input (window).
 */
export const saveReductions = async (deps: ReductionDeps, db: TenantDb, ctx: Ctx, input: Input): Promise<OutputOf<typeof route>> => {
  // Two officers who publish the same decisions: the second finds them published.
  await lock(db, `reduction|${input.examId}`)
  const found = await findExam(db, input.examId)
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  expectTime(found, ctx.arrivedAt)
  const posts: Posts = new Map((await listPosts(db, found.id)).map(post => [post.code, post]))
  const cuts = input.rows.map(row => wantedCut(row, posts.get(row.code)?.curNum ?? 0))
  expectRows(ctx, cuts, posts)
  const codes = cuts.map(cut => cut.code)
  const done = (await listActive(db, found.id, codes)).filter(one => one.state !== 'draft').map(one => one.code)
  if (done.length > 0) throw new Refused(refuseReduction('reduction/published', { codes: done.slice(0, 20).join(', ') }))
  const window = choiceWindowOf(input)
  const begin = { begin: window.choiceBegin }
  const wrong = window.choiceEnd && dateProblem('choiceEnd', window.choiceEnd, begin)
  if (wrong) throw new Refused(refuseField('choiceEnd', wrong))
  const asked = window.choiceEnd && askAbout(dateDoubts('choiceEnd', 'choiceEnd', window.choiceEnd, begin), input.sure)
  if (asked) throw new Refused(asked)
  if (input.publish === 1 && cuts.some(cut => movesPeople(cut.action))) expectWindow(window, ctx.arrivedAt)
  // In the order in which a review locks them: the sign-up, then the examination.
  const signups = input.publish === 1 ? await lockSignupsOf(db, found.id, codes) : []
  const exam = (await lockExam(db, found.id)) ?? found
  const valid = await countValid(db, exam.id, exam.ratioBasis)
  const kept = cuts.map((cut): CutToKeep => {
    const post = posts.get(cut.code)
    return { ...cut, unit: post?.unit ?? '', type: post?.type ?? '', beforeNum: post?.curNum ?? 0, validCount: valid.get(cut.code) ?? 0 }
  })
  const ids = await saveDrafts(db, exam.id, kept, window)
  await attachApprovals(deps, db, ctx, cuts, ids)
  const outcome = input.publish === 1 ? await publish(deps, db, exam, posts, signups, { cuts, ids }) : { published: 0, joined: 0, told: 0 }
  for (const cut of kept)
    await audit(db, ctx, {
      action: input.publish === 1 ? 'reduction.published' : 'reduction.drafted',
      entity: 'post_reduction',
      entityId: ids.get(cut.code) ?? '0',
      before: { code: cut.code, curNum: cut.beforeNum },
      after: {
        ...{ action: actionLabels[cut.action].zh, afterNum: cut.afterNum, validCount: cut.validCount, toCodes: cut.toCodes },
        ...(window.choiceEnd
          ? { choiceBegin: window.choiceBegin && toWireTime(window.choiceBegin), choiceEnd: toWireTime(window.choiceEnd) }
          : {}),
      },
      reason: cut.reason,
    })
  return { saved: kept.length, ...outcome }
}
