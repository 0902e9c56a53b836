import { createHash } from 'node:crypto'
import { askAbout } from '#contract/kernel/asking.ts'
import { feeOfPost } from '#contract/pay/fee.ts'
import { blockingChecks } from '#contract/signup/conditions.ts'
import { openParts } from '#contract/signup/content-diff.ts'
import { changedParts, type DraftMarks, intentText, isPartOpen, lateFilesMs, markChanged, takeParts } from '#contract/signup/draft-merge.ts'
import { signNo } from '#contract/signup/sign-no.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsPlace, type SignupState } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { accepted, Refused } from '#kernel/http/context.ts'
import { type ExamRow, freeSeat, papersOfPost, takeSeat } from '#modules/exam/index.ts'
import { hasAppealed } from '../appeal.ts'
import { openContent } from '../content-vault.ts'
import { findLiveLock } from '../data/examine.repo.ts'
import {
  blankSignup,
  dropLaterDraft,
  findIntent,
  insertHistory,
  insertSubmission,
  nextSignSequence,
  type PersonFacts,
  type SavedForm,
  type SignupRow,
  type Submission,
  saveLaterDraft,
  storePayState,
  writeSubmission,
} from '../data/signup.repo.ts'
import { decideSubmit, type SubmitDecision } from '../domain/submit.ts'
import { asSent, type KeptDraft, partsOfSaved, plainForm, readKept, sentParts } from './draft.ts'
import { lockedPartsOf } from './locked-parts.ts'
import type { OpenedForm } from './open-form.ts'
import { orderAllotment } from './order-allotment.ts'
import { type ReadForm, readForm, type SubmitCall } from './read-form.ts'
import { attachFiles, type Saved, savedFormOf } from './save-signup.ts'
import { submissionOf } from './submission.ts'

/** What is submitted, read and allowed. */
interface Accepted {
  readonly exam: ExamRow
  /** The sign-up as it stands; a blank one, with the number it will have, before the first save. */
  readonly current: SignupRow
  /** The row is there already. */
  readonly isKept: boolean
  readonly code: string
  readonly form: ReadForm
  readonly decision: SubmitDecision
  readonly kept: KeptDraft
  readonly person: PersonFacts
}

/** The version the candidate saw decides: a second tab, or a repeated click, finds the sign-up there already. */
const expectSeenVersion = ({ input }: SubmitCall, { signVersion, signNo, id }: SignupRow): void => {
  const seen = input.signVersion
  if (!signNo || seen === signVersion || (seen === undefined && signVersion === 0)) return
  const why =
    seen === undefined
      ? refuseSignup('signup/version-missing', { signNo })
      : seen === 0
        ? refuseSignup('signup/exists', { signNo })
        : refuseSignup('signup/version-old', { signNo, now: String(signVersion), seen: String(seen) })
  throw new Refused({ ...why, data: { signNo, id } })
}

/** What another device has saved since is not lost under a submit that knows nothing of it: the form asks for it first. */
const expectNothingUnseen = (call: SubmitCall, kept: KeptDraft): void => {
  const seen = call.input.draft?.seen
  if (seen === undefined) return
  const unseen = changedParts(kept.parts, sentParts(call, kept)).filter(field => (kept.marks.keys[field]?.[0] ?? 0) > seen)
  if (unseen.length > 0) throw new Refused(refuseSignup('signup/changed-elsewhere', {}))
}

/** Marks of a form that is handed in: every field that is another one than was kept has changed now. */
const marksOf = ({ deps, db, ctx }: SubmitCall, { current, kept }: Accepted, saved: SavedForm): DraftMarks => {
  const sent = partsOfSaved(plainForm(deps, db.actor.tenantId, 'signup', current.id, saved), kept.asks)
  return markChanged(kept.marks, changedParts(kept.parts, sent), ctx.arrivedAt.getTime())
}

/**
 * What was typed into fields that a return had locked is kept beside the version that is handed in: where the form opens again it may be used.
 * Everything else of the draft is in the version.
 */
const keepLeftovers = async (
  call: SubmitCall,
  { exam, current, form, kept, person }: Accepted,
  saved: SavedForm,
  marks: DraftMarks,
): Promise<void> => {
  const { deps, db } = call
  const { tenantId } = db.actor
  const open = openParts(current.advisements, kept.form.items, kept.form.files)
  const before = partsOfSaved(plainForm(deps, tenantId, 'signup', current.id, current), kept.asks)
  const left = changedParts(before, kept.parts).filter(field => !isPartOpen(open, field))
  if (left.length === 0) return dropLaterDraft(db, exam.id, current.userId)
  const sent = partsOfSaved(plainForm(deps, tenantId, 'signup', current.id, saved), kept.asks)
  const whole = asSent(call, takeParts(sent, kept.parts, new Set(left)), person)
  const beside = await readForm(whole, { exam, current, currentContent: {}, person, ahead: undefined })
  await saveLaterDraft(
    db,
    current,
    savedFormOf(whole, current, { ...beside, signatureFileId: form.signatureFileId }, 'signup_draft'),
    marks,
  )
}

/**
 * The instant that a submit is judged by: it counts as come when the same form was confirmed before the end of the window, if it follows within ten minutes.
 * Every file has to be the one that was confirmed: that which had arrived, or the bytes that were on their way.
 */
const countsAsCome = async ({ db, ctx, input }: SubmitCall, exam: ExamRow, form: ReadForm): Promise<Date> => {
  const { signEnd } = exam
  const late = signEnd === null ? -1 : ctx.arrivedAt.getTime() - signEnd.getTime()
  if (input.intent === undefined || late < 0 || late >= lateFilesMs) return ctx.arrivedAt
  const tokens = Object.entries(input.intent).flatMap(([fileKey, list]) => list.map(token => ({ fileKey, token })))
  const isSame = (token: string, fileKey: string): boolean =>
    form.files.some(
      (file, at) =>
        file.fileKey === fileKey &&
        (token === `id:${file.fileId}` || (token.startsWith('sha:') && token === `sha:${form.stored[at]?.sentSha256}`)),
    )
  if (tokens.length !== form.files.length || !tokens.every(({ token, fileKey }) => isSame(token, fileKey))) return ctx.arrivedAt
  const digest = createHash('sha256')
    .update(intentText({ ...input, files: input.intent }))
    .digest('hex')
  const at = await findIntent(db, exam.id, ctx.session?.userId ?? '0', digest)
  return at !== undefined && signEnd !== null && at < signEnd ? at : ctx.arrivedAt
}

/** Reads the form and what else decides, and asks `decideSubmit`. */
const judge = async (call: SubmitCall, { exam, own, ahead, person }: OpenedForm): Promise<Accepted> => {
  const { deps, db, ctx, input } = call
  const before = own ?? blankSignup('0', exam.id, ctx.session?.userId ?? '0')
  expectSeenVersion(call, before)
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: before.id } as const
  const stored = openContent(deps.services.cipher, place, before.content)
  const code = input.code ?? before.code ?? ''
  const [kept, form, reviewLock, appealed] = await Promise.all([
    readKept(call, exam, before, ahead?.form),
    readForm(call, { exam, current: own, currentContent: stored, person, ahead }),
    // Only what waits can be open at a reviewer, and only what was refused can have been appealed.
    own?.examine === 'waiting' ? findLiveLock(db, own.id) : undefined,
    own?.examine === 'refused' && hasAppealed(db, own.id),
  ])
  const current: SignupRow = own ?? { ...before, id: person.newId }
  expectNothingUnseen(call, kept)
  const decision = accepted(
    decideSubmit({
      now: await countsAsCome(call, exam, form),
      exam,
      current: {
        state: current.examine,
        code: current.code,
        changePostCount: current.changePostCount,
        extendUntil: current.extendUntil,
        hasAppealed: appealed,
      },
      isOpenAtReviewer: reviewLock !== undefined,
      isOnIntegrityList: person.isListed,
      code,
      post: form.post,
      isAppeal: input.appeal === 1,
      hasPromised: input.promise === 1,
      insists: input.insist === 1,
      problems: form.problems,
      lockedParts: await lockedPartsOf(call, current, form, exam),
      checks: form.judged.checks,
    }),
  )
  const asked = askAbout(form.judged.doubts, input.sure)
  if (asked) throw new Refused(asked)
  if (person.isTaken) throw new Refused(refuseSignup('signup/person-taken', {}))
  return { exam, current, isKept: own !== undefined, code, form, decision, kept, person }
}

/** Places of a post are a guarded counter: the old one is given back, the new one taken, in the transaction of the submit. */
const movePlace = async (db: TenantDb, current: SignupRow, code: string): Promise<void> => {
  const had = holdsPlace[current.examine]
  if (had && current.code === code) return
  if (had && current.code) await freeSeat(db, current.examId, current.code)
  if (!(await takeSeat(db, current.examId, code))) throw new Refused(refuseSignup('signup/post-full', {}))
}

/** Takes the place and the number. Everybody else who signs up waits from here on; a refused place gives its number back. */
const takeNumber = async (db: TenantDb, { exam, current, code }: Accepted): Promise<string> => {
  const [, sequence] = await Promise.all([movePlace(db, current, code), current.signNo ? 0 : nextSignSequence(db, exam.id)])
  return current.signNo ?? signNo(exam.year, exam.examNo, sequence)
}

const writeRow = async (db: TenantDb, { current, isKept }: Accepted, to: SignupState, submission: Submission): Promise<void> => {
  if (!isKept) insertSubmission(db, current, to, submission)
  else if (!(await writeSubmission(db, current.id, { state: current.examine, signVersion: current.signVersion }, to, submission)))
    throw new Refused(refuseSignup('signup/changed', {}))
}

/**
 * What decides nothing any more: it leaves with the commit, so that whoever waits for the counters waits as briefly as can be.
 */
const leaveTraces = (call: SubmitCall, { exam, current, form }: Accepted, saved: SavedForm, number: string): void => {
  const { deps, db } = call
  const { id: signupId, userId } = current
  const signVersion = current.signVersion + 1
  insertHistory(db, { signupId, userId, signVersion, form: saved, autoCheck: form.judged.checks })
  attachFiles(call, current, form)
  deps.message.sendNotice(db, {
    userId,
    examId: exam.id,
    kind: 1,
    title: { zh: '报名已提交', en: 'Sign-up submitted' },
    words: { scene: 'signup-submitted', params: { exam: exam.examName, signNo: number } },
    content: {
      zh: `${exam.examName}：报名序号 ${number}，请等待审核。`,
      en: `${exam.examName}: your number is ${number}. Please wait for the review.`,
    },
    link: '/signup/myExam',
    eventKey: `signup.submitted:${signupId}:${signVersion}`,
  })
}

/**
 * Submits a sign-up (submitType 1): one transaction that locks the examination, the person and the row, reads everything anew,
 * asks `decideSubmit` and writes row, history, place, audit and notice together.
 *
 * Refusals: signup/exam-not-open, outside-window, exists, person-taken, blocked, under-review, changed, changes-used-up,
 * unknown-post, post-closed, post-full, promise-missing, incomplete (fields), locked-part, conditions (items).
 */
export const submitSignup = async (call: SubmitCall, opened: OpenedForm): Promise<Saved> => {
  const { deps, db, ctx } = call
  const allowed = await judge(call, opened)
  const { exam, current, code, form, decision } = allowed
  // The last that a first submit asks: what it writes from here on leaves with the commit, so the counters are held for one message.
  const [number, papers] = await Promise.all([takeNumber(db, allowed), papersOfPost(db, exam.id, code)])

  const saved = savedFormOf(call, current, form, 'signup')
  const draftMarks = marksOf(call, allowed, saved)
  const submission = submissionOf(call, { current, exam, form, saved, signNo: number, changesPost: decision.changesPost, draftMarks })
  await writeRow(db, allowed, decision.to, submission)
  if (allowed.kept.later)
    await (current.examine === 'returned' ? keepLeftovers(call, allowed, saved, draftMarks) : dropLaterDraft(db, exam.id, current.userId))
  if (decision.to === 'waiting') await orderAllotment(db, exam, 1)
  leaveTraces(call, allowed, saved, number)
  if (exam.payWhen === 2) await storePayState(db, current.id, await deps.pay.openDues(db, current.id))
  const signVersion = current.signVersion + 1
  await audit(db, ctx, {
    action: current.signVersion === 0 ? 'signup.submitted' : 'signup.resubmitted',
    entity: 'signup',
    entityId: current.id,
    before: { examine: current.examine, code: current.code },
    after: {
      ...{ examine: decision.to, code, signNo: number, signVersion, autoResult: submission.autoResult },
      ...(call.input.insist === 1 && blockingChecks(form.judged.checks).length > 0 ? { insisted: true } : {}),
    },
  })
  return {
    ...{ id: current.id, state: decision.to, signNo: number, signVersion, judged: form.judged },
    ...{ draftVersion: draftMarks.v, conflicts: [], isBehind: false, papers },
    ...(form.post ? { fee: feeOfPost(exam, form.post) } : {}),
  }
}
