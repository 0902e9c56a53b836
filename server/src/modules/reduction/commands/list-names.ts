import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { refuseReduction } from '#contract/reduction/reduction.errors.ts'
import type { joinReduction, removeFromReduction } from '#contract/reduction/reduction.routes.ts'
import { choiceLabels, movesPeople, transferMachine } from '#contract/reduction/reduction.state.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findExam, findPost } from '#modules/exam/index.ts'
import { lockSignup, type SignupRow, storeReductionState } from '#modules/signup/index.ts'
import { addNames, lockName, moveName } from '../data/name.repo.ts'
import { lockReduction, type ReductionRow } from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import { sendOne, tellPeople } from './tell.ts'

/** Why somebody cannot be put on the list by hand; undefined when they can. */
const joinBar = (signup: SignupRow | undefined, cut: ReductionRow): Label | undefined => {
  if (!signup || signup.examId !== cut.examId) return label('本考试没有此报名', 'no such sign-up in this examination')
  if (signup.code !== cut.code) return label(`不是岗位 ${cut.code} 的报名`, `it is not for post ${cut.code}`)
  if (signup.examine !== 'passed') {
    const { zh, en } = signupMachine.label[signup.examine]
    return label(`审核未通过（${zh}）`, `it has not passed (${en})`)
  }
  if (signup.payState === 'refunding' || signup.payState === 'refunded') return label('费用已退', 'its fee has gone back')
  return undefined
}

/** Puts people on the list of a cancelled post by hand; who is on a list already, or has no place in it, is named. */
export const joinByHand = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof joinReduction>,
): Promise<OutputOf<typeof joinReduction>> => {
  const ignored: { signupId: string; reason: string }[] = []
  const signups: SignupRow[] = []
  const wanted = [...new Set(input.signupIds)].sort()
  const found = new Map<string, SignupRow | undefined>()
  for (const id of wanted) found.set(id, await lockSignup(db, id))
  const cut = await lockReduction(db, input.reductionId)
  const exam = cut && (await findExam(db, cut.examId))
  if (!cut || !exam) throw new Refused(refuse('kernel/not-found', {}))
  const isOpen = cut.state === 'published' && movesPeople(cut.action) && cut.choiceEnd !== null && ctx.arrivedAt < cut.choiceEnd
  if (!isOpen) throw new Refused(refuseReduction('reduction/not-published', {}))
  for (const [signupId, signup] of found) {
    const bar = joinBar(signup, cut)
    if (signup && !bar) signups.push(signup)
    else ignored.push({ signupId, reason: ctx.say(bar ?? label('不存在', 'it does not exist')) })
  }
  const added = new Set(await addNames(db, { examId: cut.examId, reductionId: cut.id, code: cut.code, joinWay: 2 }, signups))
  const post = (await findPost(db, cut.examId, cut.code))?.codeName ?? cut.code
  await storeReductionState(db, [...added], reductionStates.choosing)
  for (const signup of signups) {
    if (!added.has(signup.id)) {
      ignored.push({ signupId: signup.id, reason: ctx.say(label('已在名单中', 'is on the list already')) })
      continue
    }
    await deps.dropSeats(db, signup.id)
    await tellPeople(deps, db, exam, post, cut, [signup.userId])
    await sendOne(deps, db, signup.userId, exam, post, cut)
    await audit(db, ctx, {
      action: 'transfer.joined',
      entity: 'signup',
      entityId: signup.id,
      after: { reductionId: cut.id, code: cut.code },
    })
  }
  return { joined: added.size, ignored }
}

/** Takes somebody off the list: who has not chosen keeps the sign-up as it was; of who was too late nothing but the line goes. */
export const takeOff = async (
  db: TenantDb,
  ctx: Ctx,
  { signupId, reason }: InputOf<typeof removeFromReduction>,
): Promise<OutputOf<typeof removeFromReduction>> => {
  const signup = await lockSignup(db, signupId)
  const name = signup && (await lockName(db, signupId))
  if (!signup || !name) throw new Refused(refuse('kernel/not-found', {}))
  const isWaiting = name.choice === 'none' && name.state === 'open'
  const isLate = name.choice === 'late' && name.state !== 'review'
  const to = step(transferMachine, name.state, 'remove')
  if (to === undefined || (!isWaiting && !isLate))
    throw new Refused(refuseReduction('reduction/not-removable', { choice: choiceLabels[name.choice] }))
  if (!(await moveName(db, name.id, name.state, to, isWaiting ? { choice: 'kept' } : {})))
    throw new Refused(refuse('kernel/changed-meanwhile', {}))
  if (isWaiting) await storeReductionState(db, [signupId], reductionStates.none)
  await audit(db, ctx, {
    action: 'transfer.removed',
    entity: 'reduction_name',
    entityId: name.id,
    before: { choice: name.choice, state: name.state },
    after: { state: to },
    reason,
  })
  return { state: transferMachine.wire[to] }
}
