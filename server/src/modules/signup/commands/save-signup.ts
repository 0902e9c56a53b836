import type { Label } from '#contract/kernel/label.ts'
import type { MergedDraft } from '#contract/signup/draft-merge.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import { Refused } from '#kernel/http/context.ts'
import { sealContent } from '../content-vault.ts'
import { blankSignup, insertDraft, type SavedForm, type SignupRow, saveDraft, saveLaterDraft } from '../data/signup.repo.ts'
import type { Judgement } from '../domain/judge.ts'
import { beginRefusal } from '../domain/submit.ts'
import { asSent, mergeSent, readKept } from './draft.ts'
import type { OpenedForm } from './open-form.ts'
import { type ReadForm, readForm, type SubmitCall } from './read-form.ts'

/** What a save or a submit has left behind. */
export interface Saved {
  readonly id: string
  readonly state: SignupState
  readonly signNo: string | null
  readonly signVersion: number
  readonly judged: Judgement
  /** Ids of the papers that the post sits, of a form that was handed in. */
  readonly papers?: readonly string[]
  /** What the post costs, of a form that was handed in. */
  readonly fee?: Label
  /** Counts the saves of this form; of a later one another device knows nothing yet. */
  readonly draftVersion: number
  /** Fields that another device has changed to something else: what it has saved stands until the candidate chooses. */
  readonly conflicts: MergedDraft['conflicts']
  /** Another device has saved since the one that sends has last heard, or what it has saved is asked about: the sender is told the kept form. */
  readonly isBehind: boolean
}

/** Where the form asks it, the answer there is the word (`adjust`, domain 3.3); where it does not, the call's own. */
const acceptsTransfer = (answer: unknown, given: 0 | 1 | undefined, before: boolean): boolean =>
  typeof answer === 'string' && answer !== '' ? answer === '1' : given === undefined ? before : given === 1

/** The form as it is kept in the sign-up or in the draft beside it, its sensitive answers sealed for that place. */
export const savedFormOf = (
  { deps, db, input }: SubmitCall,
  current: SignupRow,
  form: ReadForm,
  table: 'signup' | 'signup_draft',
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
  content: sealContent(deps.services.cipher, { tenantId: db.actor.tenantId, table, rowId: current.id }, form.items, form.content),
  files: form.files,
  adjust: acceptsTransfer(form.content['adjust'], input.adjust, current.adjust),
})

/** The files of the form belong to the sign-up from here on and are no longer swept away as uploads of nobody. */
export const attachFiles = ({ deps, db }: SubmitCall, { id, userId }: SignupRow, { files, pictureIds, signatureFileId }: ReadForm): void =>
  deps.file.keep(
    db,
    [...files.map(file => file.fileId), ...pictureIds, ...(signatureFileId === null ? [] : [signatureFileId])],
    userId,
    'signup',
    id,
  )

/**
 * Keeps what a candidate has typed so far (submitType 0). While the sign-up is a draft the row itself is written; later an autosave
 * beside it, so that the version under review stays as it was. What was begun in time is kept after the window has closed: nothing typed is lost.
 *
 * Refusals: kernel/not-found, signup/exam-not-open, signup/outside-window, signup/not-verified (fields), second-equals-first.
 */
export const saveSignup = async (call: SubmitCall, { exam, own, person }: OpenedForm): Promise<Saved> => {
  const { db, ctx, input } = call
  const userId = ctx.session?.userId ?? '0'
  const tooLate = own ? undefined : beginRefusal(ctx.arrivedAt, exam)
  if (tooLate) throw new Refused(tooLate)
  const current = own ?? blankSignup(person.newId, exam.id, userId)
  if (!own) await insertDraft(db, current)
  const kept = await readKept(call, exam, current)
  const merged = mergeSent(call, current, kept)
  const whole = asSent(call, merged.parts, person)
  const form = await readForm(whole, { exam, current, currentContent: {}, person, ahead: undefined })
  const [foreign] = form.foreign
  if (foreign) {
    const fields = form.foreign.map(one => ({ field: one.field, msg: one.message }))
    throw new Refused(refuseSignup('signup/not-verified', { first: foreign.message }, { data: { fields } }))
  }
  if (current.examine === 'draft') await saveDraft(db, current.id, savedFormOf(whole, current, form, 'signup'), merged.marks)
  else await saveLaterDraft(db, current, savedFormOf(whole, current, form, 'signup_draft'), merged.marks)
  attachFiles(whole, current, form)
  return {
    id: current.id,
    state: current.examine,
    signNo: current.signNo,
    signVersion: current.signVersion,
    judged: form.judged,
    draftVersion: merged.marks.v,
    conflicts: merged.conflicts,
    // A form that began anew knows the last save while its edits stand on an earlier one: without the other value nothing could be asked.
    isBehind: input.draft !== undefined && (kept.marks.v > input.draft.seen || merged.conflicts.length > 0),
  }
}
