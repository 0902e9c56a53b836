import { type Advisement, signatureKey } from '#contract/signup/content-diff.ts'
import { regionKey } from '#contract/signup/region.ts'

/** The parts that sign-ups of an examination have. */
export interface AdvisableForm {
  readonly items: readonly { readonly itemKey: string }[]
  readonly files: readonly { readonly fileKey: string }[]
  /** The first step asks for the region. */
  readonly asksRegion: boolean
  readonly needSignature: boolean
}

const isPart = ({ kind, key }: Advisement, form: AdvisableForm): boolean => {
  if (kind === 'item') return form.items.some(item => item.itemKey === key) || (form.asksRegion && key === regionKey)
  if (kind === 'file') return form.files.some(file => file.fileKey === key) || (form.needSignature && key === signatureKey)
  return true
}

/** The first piece of advice about a part that sign-ups of this examination do not have: nobody could follow it. */
export const adviceOnNothing = (advisements: readonly Advisement[], form: AdvisableForm): Advisement | undefined =>
  advisements.find(advice => !isPart(advice, form))
