import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { label } from '#contract/kernel/label.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { refuseReduction } from '#contract/reduction/reduction.errors.ts'
import type { chooseReduction, ownReduction } from '#contract/reduction/reduction.routes.ts'
import { transferChoices, transferMachine } from '#contract/reduction/reduction.state.ts'
import { blockingChecks, type ConditionCheck, checkLabel, conditionMessage } from '#contract/signup/conditions.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam, listPapers, listPosts, lockExam, type PostRow } from '#modules/exam/index.ts'
import { findSignup, lockSignup, type SignupRow, type TargetJudgement, unitsOf } from '#modules/signup/index.ts'
import { findName, lockName, type NameRow } from '../data/name.repo.ts'
import { findReduction, type ReductionRow } from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'
import { choiceBar, targetBar } from '../domain/choice.ts'
import { goTo, letOut } from './move.ts'
import { actionWire } from './read-reductions.ts'

type Shown = NonNullable<OutputOf<typeof ownReduction>>
type Target = Shown['targets'][number]

const because = 'what other posts ask for and whether they have room is no secret of other people; nothing of these is read'
/** Posts that are offered at most: those recommended, then those whose conditions are met. */
const mostTargets = 300

const rank: Readonly<Record<TargetJudgement['match'], number>> = { ok: 0, warn: 1, no: 2 }
const shownCheck = (ctx: Ctx, check: ConditionCheck): Target['checks'][number] => ({
  rule: check.rule,
  label: ctx.say(checkLabel(check)),
  result: check.result,
  msg: ctx.say(conditionMessage(check)),
})

/** Posts that can be chosen in the place of the cancelled one, each with what its conditions say and what it costs more or less. */
const targetsOf = async (
  deps: ReductionDeps,
  db: TenantDb,
  ctx: Ctx,
  of: { readonly exam: ExamRow; readonly signup: SignupRow; readonly cut: ReductionRow },
): Promise<{ readonly from: PostRow | undefined; readonly targets: Target[] }> => {
  const { exam, signup, cut } = of
  const posts = await listPosts(db, exam.id)
  const from = posts.find(post => post.code === cut.code)
  if (!from) return { from, targets: [] }
  const hasTickets = (await listPapers(db, exam.id)).some(paper => paper.ticketState !== 'none')
  const open = posts.filter(post => targetBar(post, from, signup.code === post.code, hasTickets) === undefined)
  const judged = await deps.signup.judgePosts(db, exam, signup, open)
  const fees = await deps.pay.feesOf(db, exam.id, [from.code, ...open.map(post => post.code)])
  const feeFrom = fees.get(from.code) ?? 0
  const shown = open.map((post): Target & { readonly order: number } => {
    const { conditions, match } = judged.get(post.code) ?? { conditions: [], match: 'no' as const }
    const isRecommended = cut.toCodes.includes(post.code)
    return {
      ...{ code: post.code, codeName: post.codeName, unitName: post.unitName, curNum: post.curNum, isRecommended, match },
      checks: conditions.filter(check => check.result !== 'ok').map(check => shownCheck(ctx, check)),
      feeDifference: (fees.get(post.code) ?? 0) - feeFrom,
      order: rank[match] * 2 + (isRecommended ? 0 : 1),
    }
  })
  const targets = shown
    .toSorted((one, other) => one.order - other.order)
    .slice(0, mostTargets)
    .map(({ order: _order, ...target }) => target)
  return { from, targets }
}

const presentRow = (name: NameRow, signup: SignupRow, posts: readonly Target[]): Shown['row'] => ({
  choice: transferChoices.indexOf(name.choice),
  state: transferMachine.wire[name.state],
  toCode: name.toCode,
  toName: posts.find(post => post.code === name.toCode)?.codeName ?? null,
  choiceTime: name.choiceTime && toWireTime(name.choiceTime),
  remark: signup.examine === 'refused' ? signup.examineRemark : null,
})

/** What somebody on a list has to choose from; null for whoever is on none. */
export const readChoice = (deps: ReductionDeps, ctx: Ctx, { signupId }: InputOf<typeof ownReduction>): Promise<Shown | null> =>
  ctx.asSystem(because, async db => {
    const session = sessionOf(ctx)
    const signup = await findSignup(db, signupId)
    const units = session.userType === 2 ? undefined : unitsOf(session)
    const isSeen = session.userType === 2 ? signup?.userId === session.userId : units === undefined || units.includes(signup?.unit ?? '')
    const exam = signup && isSeen ? await findExam(db, signup.examId) : undefined
    if (!signup || !exam) throw new Refused(refuse('kernel/not-found', {}))
    const name = await findName(db, signupId)
    const cut = name && (await findReduction(db, name.reductionId))
    if (!name || !cut?.choiceBegin || !cut.choiceEnd) return null
    const { choiceBegin, choiceEnd } = cut
    const { from, targets } = await targetsOf(deps, db, ctx, { exam, signup, cut })
    const bar = choiceBar(ctx.arrivedAt, exam.state, { choiceBegin, choiceEnd }, name.state)
    return {
      ...{ examId: exam.id, examName: exam.examName, hotline: exam.contactPhone },
      reduction: {
        ...{
          id: cut.id,
          action: actionWire(cut.action),
          code: cut.code,
          codeName: from?.codeName ?? cut.code,
          unitName: from?.unitName ?? '',
        },
        reason: cut.reason,
      },
      row: presentRow(name, signup, targets),
      targets,
      refundAmount: await deps.pay.paidFen(db, signupId),
      ...{ choiceBegin: toWireTime(choiceBegin), choiceEnd: toWireEnd(choiceEnd) },
      ...{ canChoose: bar === undefined, reason: bar ? ctx.say(bar.text) : null, serverTime: toWireTime(ctx.arrivedAt) },
    }
  })

/** The post that was asked for, once it can be had; a condition that is not met is told with its bound. */
const targetFor = async (
  deps: ReductionDeps,
  db: TenantDb,
  of: { readonly exam: ExamRow; readonly signup: SignupRow; readonly cut: ReductionRow },
  code: string,
) => {
  const { exam, signup, cut } = of
  const refused = (reason: { zh: string; en: string }): Refused => new Refused(refuseReduction('reduction/target', { code, reason }))
  const posts = await listPosts(db, exam.id)
  const [post, from] = [posts.find(one => one.code === code), posts.find(one => one.code === cut.code)]
  if (!post || !from) throw refused(label('本考试没有这个岗位', 'the examination has no such post'))
  const hasTickets = (await listPapers(db, exam.id)).some(paper => paper.ticketState !== 'none')
  const bar = targetBar(post, from, signup.code === code, hasTickets)
  if (bar) throw refused(bar)
  const judged = (await deps.signup.judgePosts(db, exam, signup, [post])).get(code)
  if (!judged) throw new Error('every post that is asked about is judged')
  const [unmet] = blockingChecks(judged.conditions)
  if (unmet) throw refused(conditionMessage(unmet))
  return { post, judged }
}

/**
 * Chooses another post or the money back, in the candidate's name: the last choice within the time counts until it is settled (domain 4.4).
 *
 * Refusals: kernel/not-found, reduction/not-on-list, exam-not-open, closed, decided, target; signup/under-review, post-full.
 */
export const choose = (deps: ReductionDeps, ctx: Ctx, input: InputOf<typeof chooseReduction>): Promise<OutputOf<typeof chooseReduction>> =>
  ctx.asSystem('a choice moves places and money, which a candidate may not touch', async db => {
    const signup = await lockSignup(db, input.signupId)
    if (!signup || signup.userId !== sessionOf(ctx).userId) throw new Refused(refuse('kernel/not-found', {}))
    const exam = await lockExam(db, signup.examId)
    const name = await lockName(db, signup.id)
    const cut = name && (await findReduction(db, name.reductionId))
    if (!exam || !name || !cut?.choiceBegin || !cut.choiceEnd) throw new Refused(refuseReduction('reduction/not-on-list', {}))
    const bar = choiceBar(ctx.arrivedAt, exam.state, { choiceBegin: cut.choiceBegin, choiceEnd: cut.choiceEnd }, name.state)
    if (isRefusal(bar)) throw new Refused(bar)
    if (input.choice === 1 && !input.toCode) throw new Refused(refuseField('toCode', label('请选择岗位', 'Choose a post')))
    if (input.choice === 1) {
      const code = input.toCode ?? ''
      // The same choice again has happened already.
      if (name.state !== 'review' || name.toCode !== code)
        await goTo(deps, db, ctx, { exam, signup, name }, await targetFor(deps, db, { exam, signup, cut }, code), 'transfer')
      return { choice: 1, state: transferMachine.wire.review, examine: signupMachine.wire.waiting, toCode: code }
    }
    const state = await letOut(deps, db, ctx, { exam, signup, name }, 'chosen')
    return { choice: 2, state: transferMachine.wire[state], examine: signupMachine.wire.withdrawn, toCode: null }
  })
