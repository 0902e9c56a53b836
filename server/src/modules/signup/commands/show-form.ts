import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { openParts } from '#contract/signup/content-diff.ts'
import { post2Part, postPart } from '#contract/signup/draft-merge.ts'
import { asksRegion, regionKey, regionLabelOf } from '#contract/signup/region.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { type ExamRow, listSignFiles, listSignItems, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import { mayAppeal } from '../appeal.ts'
import { figuresOf, type OwnState, ownStates } from '../data/exam-card.repo.ts'
import { findLaterDraft, findOwnSignup, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { mayHandIn } from '../domain/next-action.ts'
import { sortUnsent } from '../domain/unsent.ts'
import { actionOf, presentExam } from '../exam-card.ts'
import { formOf } from '../form-call.ts'
import { type OwnFacts, ownFacts, type Unsent } from '../own-facts.ts'
import { presentFiles, presentKept, presentSignup, wireTime } from '../present.ts'
import { labelOf, presentRequiredFile } from '../present-form.ts'
import { plainForm } from './draft.ts'
import { examOf } from './exam-of.ts'
import { documentGate, judgeKept } from './judge-kept.ts'
import { ownAnswers, prefillOf } from './prefill.ts'

/** Whether the form may be sent now, and why not. */
const submitGate = (
  ctx: Ctx,
  exam: ExamRow,
  own: OwnState | undefined,
  facts: OwnFacts | undefined,
): { canSubmit: boolean; reason: string | null } => {
  const next = actionOf(ctx, exam, own, facts)
  const isOpenAtReviewer = facts?.isOpenAtReviewer ?? false
  if (mayHandIn(next.code, { now: ctx.arrivedAt, exam, state: own?.state, isOpenAtReviewer })) return { canSubmit: true, reason: null }
  return { canSubmit: false, reason: isOpenAtReviewer ? ctx.say(refuseSignup('signup/under-review', {}).text) : next.text }
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
  const sorted = sortUnsent(
    unsent.fields,
    items.map(item => item.itemKey),
    open,
  )
  return { savedAt: toWireTime(unsent.savedAt), labels: sorted.open.map(nameOf), locked: sorted.locked.map(nameOf) }
}
const partLabels: Readonly<Record<string, Label>> = {
  [postPart]: { zh: '报考岗位', en: 'Post' },
  [post2Part]: { zh: '第二志愿', en: 'Second choice' },
}

/** Everything the form opens with: the examination, its fields and files, and what this person has saved or submitted so far. */
export const showForm = async (deps: SignupContext, ctx: Ctx, db: TenantDb, examId: string) => {
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
    judged: await judgeKept(deps, ctx, exam, kept || undefined),
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

/** The fields of the form alone, with what the person has answered before. */
export const showItems = async (deps: SignupContext, ctx: Ctx, db: TenantDb, examId: string) => {
  const exam = await examOf(db, ctx, examId)
  const items = await listSignItems(db, exam.id)
  return { groups: await formOf(db, ctx, items), prefill: await prefillOf(deps, db, ctx, exam, items) }
}

/** The files the form asks for, each with what the person has uploaded. */
export const showFiles = async (deps: SignupContext, ctx: Ctx, db: TenantDb, examId: string) => {
  const exam = await examOf(db, ctx, examId)
  const files = await listSignFiles(db, exam.id)
  const row = ctx.session?.userType === 2 ? await findOwnSignup(db, exam.id, ctx.session.userId) : undefined
  const uploads = row ? await presentFiles(deps, db, ctx, row.files, files) : []
  return files.map(file => ({
    ...presentRequiredFile(deps, ctx, file),
    uploads: uploads.filter(upload => upload.fileKey === file.fileKey),
  }))
}
