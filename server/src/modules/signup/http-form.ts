import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { normalizeContent, withDerived } from '#contract/signup/content.ts'
import { openParts, type SignupFileRef } from '#contract/signup/content-diff.ts'
import { isPartOpen, post2Part, postPart } from '#contract/signup/draft-merge.ts'
import { asksRegion, type RegionLevels, regionKey, regionLabelOf } from '#contract/signup/region.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { dropDraft, examInfoOrSignUp, signUpFiles, signUpItems } from '#contract/signup/signup.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, findExam, findPosts, listSignFiles, listSignItems, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import { mayAppeal } from './appeal.ts'
import { plainForm } from './commands/draft.ts'
import { ownAnswers, prefillOf } from './commands/prefill.ts'
import { householdRegionOf, schoolNamesIn } from './commands/read-form.ts'
import { figuresOf, type OwnState, ownStates } from './data/exam-card.repo.ts'
import { dropLaterDraft, findLaterDraft, findOwnSignup, findVerifiedPerson, type SavedForm, type SignupRow } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import { judgeForm } from './domain/judge.ts'
import { mayEditWaiting } from './domain/next-action.ts'
import { answersOfAccount, documentNotTaken, documentOf } from './domain/verified.ts'
import { actionOf, presentExam } from './exam-card.ts'
import { formOf } from './form-call.ts'
import { knownForm } from './known-form.ts'
import { type OwnFacts, ownFacts, type Unsent, unsentOf } from './own-facts.ts'
import { presentFiles, presentJudged, presentKept, presentSignup, wireTime } from './present.ts'
import { labelOf, presentRequiredFile } from './present-form.ts'
import { verifiedOf } from './verified-answers.ts'

/** A released examination, or any for staff; drafts do not exist for candidates. */
const examOf = async (db: TenantDb, ctx: Ctx, examId: string): Promise<ExamRow> => {
  const exam = await findExam(db, examId)
  if (!exam || (exam.state === 'draft' && ctx.session?.userType !== 1)) throw new Refused(refuse('kernel/not-found', {}))
  return exam
}

/** Whether the form may be sent now, and why not. */
const submitGate = (
  ctx: Ctx,
  exam: ExamRow,
  own: OwnState | undefined,
  facts: OwnFacts | undefined,
): { canSubmit: boolean; reason: string | null } => {
  const next = actionOf(ctx, exam, own, facts)
  const isOpenAtReviewer = facts?.isOpenAtReviewer ?? false
  const isOpen =
    ['fill', 'submit', 'fix', 'repost'].includes(next.code) ||
    mayEditWaiting({ now: ctx.arrivedAt, exam, state: own?.state, isOpenAtReviewer })
  if (isOpen) return { canSubmit: true, reason: null }
  return { canSubmit: false, reason: isOpenAtReviewer ? ctx.say(refuseSignup('signup/under-review', {}).text) : next.text }
}

/** What the account has verified; undefined for staff. */
const verifiedAccount = async ({ services: { cipher } }: SignupContext, ctx: Ctx, db: TenantDb) => {
  const { userId, userType } = sessionOf(ctx)
  const account = userType === 2 ? await findVerifiedPerson(db, userId) : undefined
  return account && verifiedOf(cipher, { tenantId: ctx.tenantId, userId }, account)
}

/** Nobody fills in a form that their document will be refused for. */
const documentGate = async (deps: SignupContext, ctx: Ctx, db: TenantDb, exam: ExamRow) => {
  const verified = await verifiedAccount(deps, ctx, db)
  const message = verified && documentNotTaken(verified, toWireDay(ctx.arrivedAt), exam)
  return message && { canSubmit: false, reason: ctx.say(message) }
}

/** Changes beside what was handed in, by the names of their fields; a return leaves only some of them open. */
const presentUnsent = (
  ctx: Ctx,
  { advisements, examine }: SignupRow,
  unsent: Unsent,
  items: readonly SignItemRow[],
  files: readonly SignFileRow[],
  exam: ExamRow,
) => {
  const open = examine === 'returned' ? openParts(advisements, items, files) : null
  const nameOf = (field: string): string => {
    const item = items.find(one => one.itemKey === field)
    const file = files.find(one => `file:${one.fileKey}` === field)
    if (item) return labelOf(item.itemLabel, item.itemLabelEn, ctx.say)
    if (file) return labelOf(file.fileLabel, file.fileLabelEn, ctx.say)
    if (field === regionKey) return ctx.say(regionLabelOf(exam.regionLabel))
    return ctx.say(partLabels[field] ?? { zh: field, en: field })
  }
  const order = [postPart, post2Part, regionKey, ...items.map(item => item.itemKey)]
  const placeOf = (field: string): number => order.indexOf(field) + 1 || order.length + 1
  const fields = unsent.fields.toSorted((a, b) => placeOf(a) - placeOf(b))
  const labels = (isOpen: boolean) => fields.filter(field => isPartOpen(open, field) === isOpen).map(nameOf)
  return { savedAt: toWireTime(unsent.savedAt), labels: labels(true), locked: labels(false) }
}
const partLabels: Readonly<Record<string, Label>> = {
  [postPart]: { zh: '报考岗位', en: 'Post' },
  [post2Part]: { zh: '第二志愿', en: 'Second choice' },
}

/** What an opened form keeps, submitted or not, as far as it is judged. */
interface KeptForm {
  readonly content: Record<string, unknown>
  readonly files: readonly SignupFileRef[]
  readonly code: string | null
  readonly code2: string | null
  readonly region: RegionLevels
}

const judgedBecause = 'a form is known by a stamp that candidates do not read; nothing of other people is looked at'

/** The kept form against the conditions of both choices: a candidate is told from the first step on, and not at the end. */
const judgeKept = async (deps: SignupContext, ctx: Ctx, db: TenantDb, exam: ExamRow, kept: KeptForm) => {
  const today = toWireDay(ctx.arrivedAt)
  const verified = await verifiedAccount(deps, ctx, db)
  const answers = withDerived({ ...kept.content, ...(verified ? answersOfAccount(verified) : {}) }, today)
  const code2 = exam.allowSecond ? kept.code2 : null
  const [form, posts, schools, stored] = await Promise.all([
    knownForm(deps.forms, db, exam.id, answers),
    findPosts(
      db,
      exam.id,
      [kept.code, code2].flatMap(code => code || []),
    ),
    deps.school.findKnown(db, schoolNamesIn(answers)),
    deps.file.findChecks(
      db,
      kept.files.map(file => file.fileId),
    ),
  ])
  const judged = judgeForm({
    ...{ form, today, examYear: exam.year },
    content: normalizeContent(form.items, answers),
    document: verified && documentOf(verified, today),
    ...{ files: kept.files, stored },
    post: posts.find(post => post.code === kept.code),
    post2: posts.find(post => post.code === code2),
    onDay: toWireDay(exam.signBegin ?? ctx.arrivedAt),
    householdRegion: householdRegionOf(exam, form.items, kept.region),
    isKnownSchool: name => schools.has(name),
  })
  return presentJudged(ctx.say, judged)
}

const keptIn = (row: SavedForm): KeptForm => ({
  content: { ...row.content },
  files: row.files,
  code: row.code,
  code2: row.code2,
  region: { province: row.province ?? '', city: row.city ?? '', area: row.area ?? '' },
})

/** Everything the form opens with: the examination, its fields and files, and what this person has saved or submitted so far. */
const openedForm = async (deps: SignupContext, ctx: Ctx, db: TenantDb, examId: string) => {
  const { userId } = sessionOf(ctx)
  const [exam, items, files, row, later, [own], [figures]] = await Promise.all([
    examOf(db, ctx, examId),
    listSignItems(db, examId),
    listSignFiles(db, examId),
    findOwnSignup(db, examId, userId),
    findLaterDraft(db, examId, userId),
    ownStates(db, userId, [examId]),
    figuresOf(db, [examId]),
  ])
  const facts = own && (await ownFacts(deps, ctx, db, [own])).get(own.signupId)
  const [shown, fields, signup, prefill, verified, canAppeal] = await Promise.all([
    presentExam(db, ctx, exam, figures, own, facts),
    formOf(db, ctx, items),
    row ? presentSignup(deps, db, ctx, row, 'owner') : null,
    prefillOf(deps, db, ctx, exam, items),
    ownAnswers(deps, db, ctx, items),
    mayAppeal(db, ctx.arrivedAt, exam, row && { signupId: row.id, state: row.examine }),
  ])
  const notTaken = row === undefined || row.examine === 'draft' ? await documentGate(deps, ctx, db, exam) : undefined
  const beside = row && later && plainForm(deps, ctx.tenantId, 'signup_draft', row.id, later.data)
  const kept = beside ?? (row && plainForm(deps, ctx.tenantId, 'signup', row.id, row))
  const draft = row && beside ? { ...(await presentKept(deps, db, ctx, row, beside)), savedAt: toWireTime(later.updatedAt) } : null
  return {
    exam: shown,
    judged: kept
      ? await ctx.asSystem(judgedBecause, system => judgeKept(deps, ctx, system, exam, keptIn(kept)))
      : { autoCheck: [], told: [], demanded: [] },
    items: fields,
    asksRegion: asksRegion(exam.regionLabel, items),
    files: files.filter(file => file.stage === 1).map(file => presentRequiredFile(deps, ctx, file)),
    signup,
    draft,
    draftVersion: row?.draftMarks.v ?? 0,
    unsent: row && facts?.unsent ? presentUnsent(ctx, row, facts.unsent, items, files, exam) : null,
    savedAt: wireTime(later?.updatedAt ?? (row?.examine === 'draft' ? row.updatedAt : null)),
    prefill,
    verified,
    ...(canAppeal ? { canSubmit: true, reason: null } : (notTaken ?? submitGate(ctx, exam, own, facts))),
    canAppeal,
    serverTime: toWireTime(ctx.arrivedAt),
  }
}

/** The form of an examination, for whoever fills it in. */
export const formHandlers = (deps: SignupContext): Handler[] => [
  handle(examInfoOrSignUp, ({ ctx, db, input }) => openedForm(deps, ctx, db, input.examId)),
  handle(dropDraft, async ({ ctx, db, input }) => {
    const { userId } = sessionOf(ctx)
    const later = await findLaterDraft(db, input.examId, userId)
    if (!later) return { dropped: false }
    const own = await findOwnSignup(db, input.examId, userId)
    const state = own && { signupId: own.id, examId: own.examId }
    const unsent = state ? (await unsentOf(deps, db, userId, [state])).get(state.signupId) : undefined
    await dropLaterDraft(db, input.examId, userId)
    // Which, not what they said: the answers themselves are the candidate's own.
    if (own)
      await audit(db, ctx, { action: 'signup.edits-dropped', entity: 'signup', entityId: own.id, before: { fields: unsent?.fields ?? [] } })
    return { dropped: true }
  }),
  handle(signUpItems, async ({ ctx, db, input }) => {
    const exam = await examOf(db, ctx, input.examId)
    const items = await listSignItems(db, exam.id)
    return { groups: await formOf(db, ctx, items), prefill: await prefillOf(deps, db, ctx, exam, items) }
  }),
  handle(signUpFiles, async ({ ctx, db, input }) => {
    const exam = await examOf(db, ctx, input.examId)
    const files = await listSignFiles(db, exam.id)
    const row = ctx.session?.userType === 2 ? await findOwnSignup(db, exam.id, ctx.session.userId) : undefined
    const uploads = row ? await presentFiles(deps, db, ctx, row.files, files) : []
    return files.map(file => ({
      ...presentRequiredFile(deps, ctx, file),
      uploads: uploads.filter(upload => upload.fileKey === file.fileKey),
    }))
  }),
]
