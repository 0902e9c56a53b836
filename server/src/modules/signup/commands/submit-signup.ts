import { refuse } from '#contract/kernel/errors.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { type ConditionCheck, overallResult } from '#contract/signup/conditions.ts'
import type { Content } from '#contract/signup/content.ts'
import { onlyAdvisedChanged, openParts } from '#contract/signup/content-diff.ts'
import { type RegionLevels, regionKey } from '#contract/signup/region.ts'
import { signNo } from '#contract/signup/sign-no.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsPlace, type SignupState } from '#contract/signup/signup.state.ts'
import { checkIdCard } from '#contract/system/id-card.ts'
import { checkName } from '#contract/system/person-name.ts'
import { audit } from '#kernel/audit.ts'
import { sm3 } from '#kernel/crypto/sm3.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { accepted, type Ctx, Refused } from '#kernel/http/context.ts'
import { type ExamRow, freeSeat, lockExam, takeSeat } from '#modules/exam/index.ts'
import { hasAppealed } from '../appeal.ts'
import { openContent, sealContent } from '../content-vault.ts'
import { findLiveLock } from '../data/examine.repo.ts'
import {
  blankSignup,
  dropLaterDraft,
  findHistory,
  findPersonFacts,
  insertDraft,
  insertHistory,
  insertSubmission,
  lockOwnSignup,
  newSignupId,
  nextSignSequence,
  type PersonFacts,
  type SavedForm,
  type SignupRow,
  type Submission,
  saveDraft,
  saveLaterDraft,
  storePayState,
  writeSubmission,
} from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { decideSubmit } from '../domain/submit.ts'
import { orderAllotment } from './allot-signups.ts'
import { type FormFacts, findFormFactsAhead, type ReadForm, readForm, type SubmitInput } from './read-form.ts'

export interface Submitted {
  readonly id: string
  readonly state: SignupState
  readonly signNo: string | null
  readonly signVersion: number
  readonly checks: readonly ConditionCheck[]
}

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The examination under a share lock, so that a close waits for the submits in flight and they see its result (domain 4.10). */
const openExam = async (db: TenantDb, examId: string): Promise<ExamRow> => {
  const exam = await lockExam(db, examId)
  if (!exam || exam.state === 'draft') throw new Refused(refuse('kernel/not-found', {}))
  return exam
}

/** What a submit or a save begins with. */
export interface OpenedForm {
  readonly exam: ExamRow
  /** The person's row, locked; undefined before the first save. */
  readonly own: SignupRow | undefined
  /** What the form is judged by, read behind the locks; undefined where it leaves something to the row. */
  readonly ahead: { readonly form: FormFacts; readonly person: PersonFacts } | undefined
}

const personFactsOf = (deps: SignupContext, db: TenantDb, ctx: Ctx, examId: string, content: Readonly<Record<string, unknown>>) => {
  const today = toWireDay(ctx.arrivedAt)
  const person = checkIdCard(String(content['idCard'] ?? ''), today)
  const index = person.ok ? deps.services.cipher.blindIndex(db.actor.tenantId, 'id-card', person.idCard) : undefined
  return findPersonFacts(db, examId, index, today, ctx.session?.userId ?? '0')
}

/**
 * Examination and row, locked in this order in one flight, and what can be read without knowing them. Two tabs at once go one after the
 * other, also where there is no row to lock yet. Whether there is such an examination is told first.
 */
export const openForm = async (deps: SignupContext, db: TenantDb, ctx: Ctx, input: SubmitInput): Promise<OpenedForm> => {
  const { examId, content } = input
  const userId = ctx.session?.userId ?? '0'
  const asked = [
    openExam(db, examId),
    Promise.all([lock(db, `signup of ${userId} in ${examId}`), lockOwnSignup(db, examId, userId)]),
    findFormFactsAhead(deps, db, ctx, input),
    content && personFactsOf(deps, db, ctx, examId, content),
  ] as const
  for (const read of await Promise.allSettled(asked)) if (read.status === 'rejected') throw read.reason
  const [exam, [, own], form, person] = await Promise.all(asked)
  return { exam, own, ahead: form && person && { form, person } }
}

const formOf = (
  deps: SignupContext,
  db: TenantDb,
  current: SignupRow,
  input: SubmitInput,
  form: ReadForm,
  sensitive: readonly { itemKey: string; sensitive: number }[],
): SavedForm => ({
  province: form.region.province || null,
  city: form.region.city || null,
  area: form.region.area || null,
  code: form.post?.code ?? null,
  type: form.post?.type ?? null,
  unit: form.post?.unit ?? null,
  code2: form.post2?.code ?? null,
  type2: form.post2?.type ?? null,
  unit2: form.post2?.unit ?? null,
  content: sealContent(deps.services.cipher, { tenantId: db.actor.tenantId, table: 'signup', rowId: current.id }, sensitive, form.content),
  files: form.files,
  adjust: acceptsTransfer(form.content['adjust'], input.adjust, current.adjust),
})

/** Where the form asks it, the answer there is the word (`adjust`, domain 3.3); where it does not, the call's own. */
const acceptsTransfer = (answer: unknown, given: 0 | 1 | undefined, before: boolean): boolean =>
  typeof answer === 'string' && answer !== '' ? answer === '1' : given === undefined ? before : given === 1

/** The files of the form belong to the sign-up from here on and are no longer swept away as uploads of nobody. */
const attachFiles = (deps: SignupContext, db: TenantDb, { id, userId }: SignupRow, { files }: ReadForm): Promise<unknown> =>
  deps.file.attach(
    db,
    files.map(file => file.fileId),
    userId,
    'signup',
    id,
  )

/**
 * Keeps what a candidate has typed so far (submitType 0). While the sign-up is a draft the row itself is written; later an autosave
 * beside it, so that the version under review stays as it was. Kept even after the window has closed: nothing typed is lost.
 */
export const saveSignup = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  input: SubmitInput,
  { exam, own, ahead }: OpenedForm,
): Promise<Submitted> => {
  const userId = ctx.session?.userId ?? '0'
  const current = own ?? blankSignup(ahead?.person.newId ?? (await newSignupId(db)), exam.id, userId)
  if (!own) await insertDraft(db, current)
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: current.id } as const
  const currentContent = openContent(deps.services.cipher, place, current.content)
  const form = await readForm(deps, db, ctx, { input, exam, current, currentContent, ahead: ahead?.form })
  const { items } = form
  if (current.examine === 'draft') await saveDraft(db, current.id, formOf(deps, db, current, input, form, items))
  else {
    const draftPlace = { tenantId: db.actor.tenantId, table: 'signup_draft', rowId: current.id } as const
    await saveLaterDraft(db, exam.id, userId, {
      ...formOf(deps, db, current, input, form, []),
      content: sealContent(deps.services.cipher, draftPlace, items, form.content),
    })
  }
  await attachFiles(deps, db, current, form)
  return { id: current.id, state: current.examine, signNo: current.signNo, signVersion: current.signVersion, checks: form.checks }
}

/** A version's answers with its region among them; the region of a version that is returned stands in the sign-up itself. */
const withRegion = (content: Content, place: Readonly<Record<keyof RegionLevels, string | null>>): Content => ({
  ...content,
  [regionKey]: place.area || place.city || place.province,
})

/** Labels of the parts that a returned sign-up changed although they were not returned (scenario 9). */
const lockedPartsOf = async (deps: SignupContext, db: TenantDb, current: SignupRow, form: ReadForm, exam: ExamRow) => {
  if (current.examine !== 'returned') return []
  const returned = await findHistory(db, current.id, current.signVersion)
  if (!returned) return []
  const { items, signFiles } = form
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: current.id } as const
  const change = onlyAdvisedChanged(
    openParts(current.advisements, items, signFiles),
    {
      content: withRegion(openContent(deps.services.cipher, place, returned.content), current),
      files: returned.files,
      code: returned.code ?? '',
      code2: returned.code2,
    },
    { content: withRegion(form.content, form.region), files: form.files, code: form.post?.code ?? '', code2: form.post2?.code ?? null },
  )
  return change.locked.map(key => {
    if (key === 'code' || key === 'code2') return { zh: '报考岗位', en: 'the post' }
    if (key === regionKey) return { zh: exam.regionLabel, en: exam.regionLabel }
    const file = signFiles.find(one => `file:${one.fileKey}` === key)
    const item = items.find(one => one.itemKey === key)
    return { zh: file?.fileLabel ?? item?.itemLabel ?? key, en: file?.fileLabelEn || item?.itemLabelEn || key }
  })
}

/** Places of a post are a guarded counter: the old one is given back, the new one taken, in the transaction of the submit. */
const movePlace = async (db: TenantDb, current: SignupRow, code: string): Promise<void> => {
  const had = holdsPlace[current.examine]
  if (had && current.code === code) return
  if (had && current.code) await freeSeat(db, current.examId, current.code)
  if (!(await takeSeat(db, current.examId, code))) throw new Refused(refuseSignup('signup/post-full', {}))
}

const submissionOf = (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  facts: {
    current: SignupRow
    exam: ExamRow
    input: SubmitInput
    form: ReadForm
    saved: SavedForm
    signNumber: string
    changesPost: boolean
  },
): Submission => {
  const { current, exam, input, form, saved } = facts
  const { cipher } = deps.services
  const tenantId = db.actor.tenantId
  const place = (column: string) => ({ table: 'signup', column, rowId: current.id })
  const person = checkIdCard(String(form.content['idCard'] ?? ''), toWireDay(ctx.arrivedAt))
  const name = checkName(String(form.content['name'] ?? ''))
  const phone = String(form.content['phone'] ?? '')
  if (!person.ok || !name.ok) throw new Error('a form without problems must hold a valid id card and name')
  const overall = overallResult(form.checks)
  return {
    ...saved,
    name: name.name,
    nameRare: name.nameRare || name.needsReview,
    idCardType: person.isResidencePermit ? '2' : String(form.content['idCardType'] ?? '1'),
    idCard: {
      sealed: cipher.seal(tenantId, place('id_card_sealed'), person.idCard),
      index: cipher.blindIndex(tenantId, 'id-card', person.idCard),
      mask: maskIdCard(person.idCard),
    },
    phone: {
      sealed: cipher.seal(tenantId, place('phone_sealed'), phone),
      index: cipher.blindIndex(tenantId, 'phone', phone),
      mask: maskPhone(phone),
    },
    sex: person.sex,
    birthday: person.birthday,
    nation: asText(form.content['nation']),
    education: asText(form.content['education']),
    degree: asText(form.content['degree']),
    major: asText(form.content['major']),
    school: asText(form.content['school']),
    photoFileId: form.files.find(file => file.fileKey === 'photo')?.fileId ?? null,
    signNo: facts.signNumber,
    autoCheck: form.checks,
    autoResult: overall,
    promiseHash: sm3(exam.promise).toString('hex'),
    promiseIp: ctx.ip,
    relatives: form.content['relatives'] ?? [],
    changesPost: facts.changesPost,
    signatureFileId: input.signatureFileId ?? null,
  }
}

/**
 * Submits a sign-up (submitType 1): one transaction that locks the examination, the person and the row, reads everything anew,
 * asks `decideSubmit` and writes row, history, place, audit and notice together.
 *
 * Refusals: signup/exam-not-open, outside-window, exists, person-taken, blocked, under-review, changed, changes-used-up,
 * unknown-post, post-closed, post-full, promise-missing, incomplete (fields), locked-part, conditions (items).
 */
export const submitSignup = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  input: SubmitInput,
  { exam, own, ahead }: OpenedForm,
): Promise<Submitted> => {
  const userId = ctx.session?.userId ?? '0'
  const { cipher } = deps.services
  const tenantId = db.actor.tenantId
  const before = own ?? blankSignup('0', exam.id, userId)
  // The version the candidate saw decides: a second tab, or a repeated click, finds the sign-up there already.
  if ((input.signVersion ?? 0) !== before.signVersion && before.signNo)
    throw new Refused({ ...refuseSignup('signup/exists', { signNo: before.signNo }), data: { signNo: before.signNo, id: before.id } })

  const stored = openContent(cipher, { tenantId, table: 'signup', rowId: before.id }, before.content)
  const code = input.code ?? before.code ?? ''
  const [form, lockHeld, appealed, facts] = await Promise.all([
    readForm(deps, db, ctx, { input, exam, current: own, currentContent: stored, ahead: ahead?.form }),
    // Only what waits can be open at a reviewer, and only what was refused can have been appealed.
    own?.examine === 'waiting' ? findLiveLock(db, own.id) : undefined,
    own?.examine === 'refused' && hasAppealed(db, own.id),
    ahead?.person ?? personFactsOf(deps, db, ctx, exam.id, input.content ?? stored),
  ])
  const current: SignupRow = own ?? { ...before, id: facts.newId }
  const lockedParts = await lockedPartsOf(deps, db, current, form, exam)
  const decision = accepted(
    decideSubmit({
      now: ctx.arrivedAt,
      exam,
      current: {
        state: current.examine,
        code: current.code,
        changePostCount: current.changePostCount,
        extendUntil: current.extendUntil,
        hasAppealed: appealed,
      },
      isOpenAtReviewer: lockHeld !== undefined,
      isOnIntegrityList: facts.isListed,
      code,
      post: form.post,
      isAppeal: input.appeal === 1,
      hasPromised: input.promise === 1,
      problems: form.problems,
      lockedParts,
      checks: form.checks,
    }),
  )
  if (facts.isTaken) throw new Refused(refuseSignup('signup/person-taken', {}))
  // Last of the reading, because from here on everybody else who signs up waits: a refused place gives its number back.
  const [, sequence] = await Promise.all([movePlace(db, current, code), current.signNo ? 0 : nextSignSequence(db, exam.id)])

  const saved = formOf(deps, db, current, input, form, form.items)
  const number = current.signNo ?? signNo(exam.year, exam.examNo, sequence)
  const submission = submissionOf(deps, db, ctx, {
    current,
    exam,
    input,
    form,
    saved,
    signNumber: number,
    changesPost: decision.changesPost,
  })
  if (!own) insertSubmission(db, current, decision.to, submission)
  else if (!(await writeSubmission(db, current.id, { state: current.examine, signVersion: current.signVersion }, decision.to, submission)))
    throw new Refused(refuseSignup('signup/changed', {}))
  const signVersion = current.signVersion + 1
  if (decision.to === 'waiting') await orderAllotment(db, exam, 1)
  // Nothing below decides anything any more: it leaves with the commit, so that whoever waits for the counters waits as briefly as can be.
  db.leave(insertHistory(db, { signupId: current.id, userId, signVersion, form: saved, autoCheck: form.checks }))
  if (own) db.leave(dropLaterDraft(db, exam.id, userId))
  db.leave(attachFiles(deps, db, current, form))
  db.leave(
    deps.message.notify(db, {
      userId,
      examId: exam.id,
      kind: 1,
      title: { zh: '报名已提交', en: 'Sign-up submitted' },
      content: {
        zh: `${exam.examName}：报名序号 ${number}，请等待审核。`,
        en: `${exam.examName}: your number is ${number}. Please wait for the review.`,
      },
      link: '/signup/myExam',
      eventKey: `signup.submitted:${current.id}:${signVersion}`,
    }),
  )
  if (exam.payWhen === 2) await storePayState(db, current.id, await deps.pay.openDues(db, current.id))
  await audit(db, ctx, {
    action: current.signVersion === 0 ? 'signup.submitted' : 'signup.resubmitted',
    entity: 'signup',
    entityId: current.id,
    before: { examine: current.examine, code: current.code },
    after: { examine: decision.to, code, signNo: number, signVersion, autoResult: submission.autoResult },
  })
  return { id: current.id, state: decision.to, signNo: number, signVersion, checks: form.checks }
}
