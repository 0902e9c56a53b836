import type { Label } from '#contract/kernel/label.ts'
import { type Content, normalizeContent } from '#contract/signup/content.ts'
import { onlyAdvisedChanged, openParts } from '#contract/signup/content-diff.ts'
import { type RegionLevels, regionItemOf, regionKey, regionLabelOf } from '#contract/signup/region.ts'
import type { ExamRow } from '#modules/exam/index.ts'
import { openContent } from '../content-vault.ts'
import { findHistory, type SignupRow } from '../data/signup.repo.ts'
import type { ReadForm, SubmitCall } from './read-form.ts'

/** A version's answers with its region among them; the region of a version that is returned stands in the sign-up itself. */
const withRegion = (content: Content, place: Readonly<Record<keyof RegionLevels, string | null>>): Content => ({
  ...content,
  [regionKey]: place.area || place.city || place.province,
})

const labelOf = (key: string, { items, signFiles }: ReadForm, { regionLabel }: ExamRow): Label => {
  if (key === 'code' || key === 'code2') return { zh: '报考岗位', en: 'the post' }
  if (key === regionKey) return regionLabelOf(regionLabel)
  const file = signFiles.find(one => `file:${one.fileKey}` === key)
  const item = items.find(one => one.itemKey === key)
  return { zh: file?.fileLabel ?? item?.itemLabel ?? key, en: file?.fileLabelEn || item?.itemLabelEn || key }
}

/** Labels of the parts that a returned sign-up changed although they were not returned (scenario 9). */
export const lockedPartsOf = async ({ deps, db }: SubmitCall, current: SignupRow, form: ReadForm, exam: ExamRow): Promise<Label[]> => {
  if (current.examine !== 'returned') return []
  const returned = await findHistory(db, current.id, current.signVersion)
  if (!returned) return []
  const { cipher } = deps.services
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: current.id } as const
  // A region that a field of the form asks for is that field's answer, which is open or locked by the field's own key.
  const isOwnField = regionItemOf(form.items, exam.regionLabel) !== undefined
  const answersOf = (content: Content, region: Parameters<typeof withRegion>[1]) => (isOwnField ? content : withRegion(content, region))
  const change = onlyAdvisedChanged(
    openParts(current.advisements, form.items, form.signFiles),
    {
      // In the form in which answers are kept today, whatever the form was when they were handed in.
      content: answersOf(normalizeContent(form.items, openContent(cipher, place, returned.content)), current),
      files: returned.files,
      code: returned.code ?? '',
      code2: returned.code2,
    },
    { content: answersOf(form.content, form.region), files: form.files, code: form.post?.code ?? '', code2: form.post2?.code ?? null },
  )
  return change.locked.map(key => labelOf(key, form, exam))
}
