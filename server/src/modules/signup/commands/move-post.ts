import { step } from '#contract/kernel/machine.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { type ConditionCheck, overallResult } from '#contract/signup/conditions.ts'
import { normalizeContent, withDerived } from '#contract/signup/content.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsPlace, type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, freeSeat, judgingOf, type PostRow, takeSeat } from '#modules/exam/index.ts'
import { openContent } from '../content-vault.ts'
import { findLiveLock } from '../data/examine.repo.ts'
import { findVerifiedPerson, insertHistory, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { judgeForm, schoolNames } from '../domain/judge.ts'
import { answersOfAccount, documentOf } from '../domain/verified.ts'
import { knownForm } from '../known-form.ts'
import { verifiedOf } from '../verified-answers.ts'
import { orderAllotment } from './order-allotment.ts'
import { householdRegionOf, schoolNamesIn } from './read-form.ts'

/** What a submitted sign-up would be told for another post. */
export interface TargetJudgement {
  readonly checks: readonly ConditionCheck[]
  /** Of the conditions of the post alone, without what is doubtful about the form whatever the post. `no`: one is not met; `warn`: a reviewer has to look. */
  readonly conditions: readonly ConditionCheck[]
  readonly match: 'ok' | 'warn' | 'no'
}

/**
 * Holds what was handed in against the conditions of other posts, as a submit would. Needs a transaction of staff or of the system.
 * @returns by post code
 */
export const judgePosts = async (
  deps: SignupContext,
  db: TenantDb,
  exam: ExamRow,
  signup: SignupRow,
  posts: readonly PostRow[],
  second?: PostRow,
): Promise<ReadonlyMap<string, TargetJudgement>> => {
  const { cipher } = deps.services
  const { tenantId } = db.actor
  const today = toWireDay(db.now)
  const person = await findVerifiedPerson(db, signup.userId)
  const verified = person && verifiedOf(cipher, { tenantId, userId: signup.userId }, person)
  const kept = openContent(cipher, { tenantId, table: 'signup', rowId: signup.id }, signup.content)
  const answers = withDerived({ ...kept, ...(verified ? answersOfAccount(verified) : {}) }, today)
  const [form, schools, stored] = await Promise.all([
    knownForm(deps.forms, db, exam.id, answers),
    deps.school.findNamed(db, schoolNamesIn(answers)),
    deps.file.findChecks(
      db,
      signup.files.map(file => file.fileId),
    ),
  ])
  const region = { province: signup.province ?? '', city: signup.city ?? '', area: signup.area ?? '' }
  const facts = {
    ...{ form, today, judging: judgingOf(exam, db.now), files: signup.files, stored },
    content: normalizeContent(form.items, answers),
    document: verified && documentOf(verified, today),
    post2: second,
    householdRegion: householdRegionOf(exam, form.items, region),
    schools: schoolNames(schools),
  }
  const doubts = judgeForm({ ...facts, post: undefined }).checks.length
  return new Map(
    posts.map(post => {
      const { checks } = judgeForm({ ...facts, post })
      const conditions = checks.slice(0, checks.length - doubts)
      return [post.code, { checks, conditions, match: overallResult(conditions) }]
    }),
  )
}

/** Nobody moves a sign-up that a reviewer reads at this moment. */
const expectUnread = async (db: TenantDb, signup: SignupRow): Promise<void> => {
  if ((signup.examine === 'waiting' || signup.examine === 'second') && (await findLiveLock(db, signup.id)))
    throw new Refused(refuseSignup('signup/under-review', {}))
}

const stepOf = (signup: SignupRow, event: 'transfer' | 'withdraw'): SignupState => {
  const to = step(signupMachine, signup.examine, event)
  if (to === undefined) throw new Refused(refuseSignup('signup/changed', {}))
  return to
}

/**
 * Gives a sign-up another post in the place of one that is cancelled: a new version that the first reviewer sees. Call with the sign-up locked.
 *
 * Refusals: signup/under-review, signup/post-full, signup/changed.
 */
export const moveToPost = async (
  db: TenantDb,
  ctx: Ctx | undefined,
  exam: ExamRow,
  signup: SignupRow,
  post: PostRow,
  { checks }: TargetJudgement,
  reductionState: number,
): Promise<void> => {
  await expectUnread(db, signup)
  const to = stepOf(signup, 'transfer')
  if (signup.code !== post.code) {
    if (holdsPlace[signup.examine] && signup.code) await freeSeat(db, exam.id, signup.code)
    if (!(await takeSeat(db, exam.id, post.code))) throw new Refused(refuseSignup('signup/post-full', {}))
  } else if (!holdsPlace[signup.examine] && !(await takeSeat(db, exam.id, post.code)))
    throw new Refused(refuseSignup('signup/post-full', {}))
  const signVersion = signup.signVersion + 1
  const form = { ...signup, code: post.code, type: post.type, unit: post.unit }
  const isMoved = await transition(
    db,
    'signup',
    signup.id,
    { from: signup.examine, to, column: 'examine' },
    {
      ...{ code: post.code, type: post.type, unit: post.unit, examine_level: 1, sign_version: signVersion },
      ...{ reduction_state: reductionState, examine_remark: null, advisements: '[]' },
      ...{ auto_check: JSON.stringify(checks), auto_result: overallResult(checks), reviewer1_id: null, reviewer1_time: null },
      ...{ reviewer2_id: null, reviewer2_time: null },
    },
  )
  if (!isMoved) throw new Refused(refuseSignup('signup/changed', {}))
  insertHistory(db, { signupId: signup.id, userId: signup.userId, signVersion, form, autoCheck: checks })
  await orderAllotment(db, exam, 1)
  await audit(db, ctx, {
    action: 'signup.transferred',
    entity: 'signup',
    entityId: signup.id,
    before: { examine: signup.examine, code: signup.code },
    after: { examine: to, code: post.code, signVersion, autoResult: overallResult(checks) },
  })
}

/** Takes a sign-up out of the examination because its post is cancelled; one that is out already stays as it is. Call with the sign-up locked. */
export const leaveExam = async (
  db: TenantDb,
  ctx: Ctx | undefined,
  signup: SignupRow,
  reductionState: number,
  reason: string,
): Promise<SignupState> => {
  if (signup.examine === 'withdrawn') {
    await transition(
      db,
      'signup',
      signup.id,
      { from: 'withdrawn', to: 'withdrawn', column: 'examine' },
      { reduction_state: reductionState },
    )
    return 'withdrawn'
  }
  await expectUnread(db, signup)
  const to = stepOf(signup, 'withdraw')
  const move = { from: signup.examine, to, column: 'examine' }
  if (!(await transition(db, 'signup', signup.id, move, { reduction_state: reductionState })))
    throw new Refused(refuseSignup('signup/changed', {}))
  if (holdsPlace[signup.examine] && signup.code) await freeSeat(db, signup.examId, signup.code)
  await audit(db, ctx, {
    action: 'signup.withdrawn',
    entity: 'signup',
    entityId: signup.id,
    before: { examine: signup.examine, code: signup.code },
    after: { examine: to },
    reason,
  })
  return to
}
