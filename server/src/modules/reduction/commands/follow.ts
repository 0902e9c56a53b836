import type { PayState } from '#contract/pay/order.state.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findExam, findPost, findPosts, listPapers } from '#modules/exam/index.ts'
import { lockSignup, type ReviewedSignup, storeReductionState } from '#modules/signup/index.ts'
import { addNames, closeRefunded, lockName, moveName } from '../data/name.repo.ts'
import { findCancellationOf, findReduction } from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import { targetBar } from '../domain/choice.ts'
import { arrive, endMove, goTo, type Listed, letOut, turnBack } from './move.ts'
import { sendOne, tellPeople } from './tell.ts'

const listedOf = async (db: TenantDb, signupId: string): Promise<Listed | undefined> => {
  const signup = await lockSignup(db, signupId)
  const name = signup && (await lockName(db, signupId))
  const exam = name && (await findExam(db, name.examId))
  return signup && name && exam ? { exam, signup, name } : undefined
}

/**
 * After a review: somebody who moves from a cancelled post has arrived or is turned back, and whoever passes late for a post that is cancelled
 * joins its list. @returns the money's state where this has changed it
 */
export const followReview = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx,
  { id, examId, userId, code, to, remark }: ReviewedSignup,
): Promise<PayState | undefined> => {
  const listed = await listedOf(db, id)
  const cut = to === 'passed' && code !== null ? await findCancellationOf(db, examId, code) : undefined
  if (listed && (listed.name.state === 'review' || listed.name.state === 'open')) {
    if (to === 'passed' && !cut) return arrive(deps, db, ctx, listed)
    if (to !== 'passed') {
      const left = await findReduction(db, listed.name.reductionId)
      if (left?.choiceEnd && listed.name.state === 'review')
        await turnBack(deps, db, ctx, listed, { choiceEnd: left.choiceEnd, remark, code })
      return undefined
    }
    // Passed once more for the cancelled post: there is still another one to choose. The chosen one was cancelled meanwhile: its own list follows.
    if (listed.name.state === 'open') return undefined
    await endMove(db, listed.name)
  }
  if (!cut) return undefined
  const [exam, post] = [await findExam(db, examId), await findPost(db, examId, cut.code)]
  if (!exam || !post) return undefined
  const added = await addNames(db, { examId, reductionId: cut.id, code: cut.code, joinWay: 1 }, [{ id, userId }])
  await storeReductionState(db, added, reductionStates.choosing)
  // Whoever passes when the time to choose is over goes the way of those who have not chosen.
  if (cut.choiceEnd === null || cut.choiceEnd <= db.now) {
    if (added.length > 0) await lapse(deps, db, id)
    return undefined
  }
  await tellPeople(deps, db, exam, post.codeName, cut, [userId])
  await sendOne(deps, db, userId, exam, post.codeName, cut)
  return undefined
}

/** After money has gone back: whoever waited for it is done. */
export const followRefund = async (db: TenantDb, signupId: string): Promise<void> => {
  const closed = await closeRefunded(db, signupId)
  if (closed.length === 0) return
  await storeReductionState(db, [signupId], reductionStates.refunded)
  for (const id of closed)
    await audit(db, undefined, { action: 'transfer.settled', entity: 'reduction_name', entityId: id, after: { refunded: true } })
}

/**
 * What becomes of somebody who has not chosen in time (domain 4.4): the second choice, if other posts are accepted and all its conditions are
 * met, else the money back. @returns false where somebody was faster
 */
export const lapse = async (deps: ReductionDeps, db: TenantDb, signupId: string): Promise<boolean> => {
  const listed = await listedOf(db, signupId)
  if (!listed || (listed.name.state !== 'open' && listed.name.state !== 'review')) return false
  const { exam, signup, name } = listed
  // Whoever was disqualified gets money back by the rules about that and no others.
  if (signup.examine === 'disqualified') return moveName(db, name.id, name.state, 'removed')
  const mayMove = name.state === 'open' && exam.state === 'released' && signup.adjust
  const target = mayMove ? await secondChoice(deps, db, listed) : undefined
  if (target) await goTo(deps, db, undefined, listed, target, 'late')
  else await letOut(deps, db, undefined, listed, 'late')
  return true
}

/** The second choice of a sign-up, where it can be taken and every condition is met. */
const secondChoice = async (deps: ReductionDeps, db: TenantDb, { exam, signup, name }: Listed) => {
  if (signup.code2 === null || signup.examine !== 'passed') return undefined
  const posts = await findPosts(db, exam.id, [signup.code2, name.fromCode])
  const [post, from] = [posts.find(one => one.code === signup.code2), posts.find(one => one.code === name.fromCode)]
  if (!post || !from) return undefined
  const hasTickets = (await listPapers(db, exam.id)).some(paper => paper.ticketState !== 'none')
  if (targetBar(post, from, false, hasTickets)) return undefined
  const judged = (await deps.signup.judgePosts(db, exam, signup, [post])).get(post.code)
  return judged?.match === 'ok' ? { post, judged } : undefined
}
