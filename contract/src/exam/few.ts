import type { Label } from '../kernel/label.ts'

/** How many sentences a refusal spells out before it only counts: a notice must stay smaller than the screen. */
const spelledOut = 3

/** Sentences in one: the first three, and how many more there are. */
export const fewOf = (sentences: readonly Label[]): Label => {
  const few = sentences.slice(0, spelledOut)
  const more = sentences.length - few.length
  const [zh, en] = [few.map(one => one.zh).join('；'), few.map(one => one.en).join('; ')]
  return more === 0 ? { zh, en } : { zh: `${zh}；另有 ${more} 处`, en: `${en}; and ${more} more` }
}
