import type { Label } from '#contract/kernel/label.ts'
import type { GraduatePolicy } from '#contract/signup/conditions.ts'
import type { PostRow } from '../data/post.repo.ts'
import { conditionTexts, type LabelOf } from '../domain/post-view.ts'

/** A post in the words of its reader. */
export const presentPost = (
  say: (label: Label) => string,
  exam: GraduatePolicy & { readonly feeMode: number },
  post: PostRow,
  labelOf: LabelOf,
  counts: { readonly signCount: number; readonly passCount: number } | null,
) => {
  const texts = conditionTexts(post, exam, labelOf)
  return {
    ...post,
    educations: undefined,
    ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, say(text)])) as { [K in keyof typeof texts]: string }),
    ageText: say(texts.ageText) || null,
    itemCodes: [...post.itemCodes],
    fee: exam.feeMode === 3 ? post.feeFen : null,
    signCount: counts?.signCount ?? null,
    passCount: counts?.passCount ?? null,
  }
}
