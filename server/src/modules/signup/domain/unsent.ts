import type { OpenParts } from '#contract/signup/content-diff.ts'
import { isPartOpen, post2Part, postPart } from '#contract/signup/draft-merge.ts'
import { regionKey } from '#contract/signup/region.ts'

/** Fields that were changed and not handed in, in the order of the form: those that can be handed in now, and those that a return keeps closed. */
export const sortUnsent = (
  fields: readonly string[],
  itemKeys: readonly string[],
  open: OpenParts | null,
): { readonly open: string[]; readonly locked: string[] } => {
  const order = [postPart, post2Part, regionKey, ...itemKeys]
  const placeOf = (field: string): number => order.indexOf(field) + 1 || order.length + 1
  const sorted = fields.toSorted((a, b) => placeOf(a) - placeOf(b))
  return { open: sorted.filter(field => isPartOpen(open, field)), locked: sorted.filter(field => !isPartOpen(open, field)) }
}
