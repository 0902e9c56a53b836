import { toWireDay } from '#contract/kernel/when.ts'
import { normalizeContent, withDerived } from '#contract/signup/content.ts'
import { openParts } from '#contract/signup/content-diff.ts'
import {
  type DraftForm,
  type DraftMarks,
  formOfParts,
  isPartOpen,
  type MergedDraft,
  mergeDraft,
  type Parts,
  partsOf,
} from '#contract/signup/draft-merge.ts'
import { asksRegion, levelsOf } from '#contract/signup/region.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { openContent } from '../content-vault.ts'
import { findLaterDraft, type LaterDraft, type SavedForm, type SignupRow, type VerifiedPerson } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { type KnownForm, knownForm } from '../known-form.ts'
import type { SubmitCall } from './read-form.ts'

/** A kept form with its answers opened. */
export const plainForm = (
  { services: { cipher } }: Pick<SignupContext, 'services'>,
  tenantId: string,
  table: 'signup' | 'signup_draft',
  rowId: string,
  form: SavedForm,
): SavedForm => ({ ...form, content: openContent(cipher, { tenantId, table, rowId }, form.content) })

/** A kept form in the parts it is merged and compared by. The region is one of them where no field of the form asks for it. */
export const partsOfSaved = (
  form: Pick<SavedForm, 'content' | 'files' | 'code' | 'code2' | 'province' | 'city' | 'area'>,
  asks: boolean,
): Parts => partsOf({ ...form, region: asks ? (form.area ?? form.city ?? form.province ?? '') : undefined })

/** What is kept of a form: the draft beside a submitted sign-up where there is one, else the sign-up itself. */
export interface KeptDraft {
  readonly parts: Parts
  readonly marks: DraftMarks
  readonly later: LaterDraft | undefined
  readonly form: KnownForm
  readonly asks: boolean
}

/** @param known - the form, where the caller has looked it up behind the same locks */
export const readKept = async (call: SubmitCall, exam: ExamRow, current: SignupRow, known?: KnownForm): Promise<KeptDraft> => {
  const { deps, db, input } = call
  const [later, form] = await Promise.all([
    current.examine === 'draft' ? undefined : findLaterDraft(db, exam.id, current.userId),
    known ?? knownForm(deps.forms, db, exam.id, input.content ?? {}),
  ])
  const asks = asksRegion(exam.regionLabel, form.items)
  const [table, saved] = later ? (['signup_draft', later.data] as const) : (['signup', current] as const)
  return {
    parts: partsOfSaved(plainForm(deps, db.actor.tenantId, table, current.id, saved), asks),
    marks: current.draftMarks,
    later,
    form,
    asks,
  }
}

/** What a call sends, in parts; what it leaves out stays as it is kept. */
export const sentParts = ({ ctx, input }: SubmitCall, kept: KeptDraft): Parts => {
  const before = formOfParts(kept.parts)
  const content = input.content ? normalizeContent(kept.form.items, withDerived(input.content, toWireDay(ctx.arrivedAt))) : before.content
  const files = Object.entries(input.fileIds ?? before.fileIds).flatMap(([fileKey, ids]) => ids.map(fileId => ({ fileKey, fileId })))
  const isRegionSent = input.province !== undefined || input.city !== undefined || input.area !== undefined
  const region = isRegionSent ? input.area || input.city || input.province || '' : String(before.region ?? '')
  const sent: DraftForm = {
    ...{ content, files, code: input.code ?? before.code, code2: input.code2 ?? before.code2 },
    region: kept.asks ? region : undefined,
  }
  return partsOf(sent)
}

/** Merges what a save sends into what is kept. What a returned sign-up locks stays: it may be used another time. */
export const mergeSent = (call: SubmitCall, current: SignupRow, kept: KeptDraft): MergedDraft => {
  const { ctx, input } = call
  const open = current.examine === 'returned' ? openParts(current.advisements, kept.form.items, kept.form.files) : null
  return mergeDraft(kept, { parts: sentParts(call, kept), edits: input.draft?.edits }, ctx.arrivedAt.getTime(), field =>
    isPartOpen(open, field),
  )
}

/**
 * The call as if it had sent the merged form. Who signs up is the account's: of that only what the call itself says is held against it, and not
 * what was kept before the account was corrected.
 */
export const asSent = (call: SubmitCall, parts: Parts, person: Pick<VerifiedPerson, 'phone'>): SubmitCall => {
  const { content: merged, fileIds, code, code2, region } = formOfParts(parts)
  const { name: _name, idCard: _idCard, phone, ...others } = merged
  const given = call.input.content ?? {}
  const said = Object.fromEntries(['name', 'idCard', 'phone'].flatMap(key => (Object.hasOwn(given, key) ? [[key, given[key]]] : [])))
  const content = { ...others, ...(person.phone === null && phone !== undefined ? { phone } : {}), ...said }
  return { ...call, input: { ...call.input, content, fileIds, code, code2, ...(region === undefined ? {} : levelsOf(String(region))) } }
}

/** The form that a device is told where another one has saved since. */
export type MergedForm = SavedForm
export const findKeptForm = async (deps: SignupContext, db: TenantDb, row: SignupRow): Promise<SavedForm> => {
  const later = row.examine === 'draft' ? undefined : await findLaterDraft(db, row.examId, row.userId)
  return later
    ? plainForm(deps, db.actor.tenantId, 'signup_draft', row.id, later.data)
    : plainForm(deps, db.actor.tenantId, 'signup', row.id, row)
}
