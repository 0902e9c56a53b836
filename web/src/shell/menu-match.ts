import { pinyinInitials } from '#contract/kernel/pinyin-initials.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import type { Label, Lang } from '../kernel/i18n/index.ts'
import type { MenuItem } from './menu.ts'

export interface MenuMatch {
  readonly item: MenuItem
  /** Names of the groups it lies in. */
  readonly group: Label | null
  /** 0: the name begins with the text; 1: it holds it; 2: the name of a group around it does. */
  readonly rank: 0 | 1 | 2
}

/** One letter within a row of initials says nothing. */
const leastInitials = 2

/**
 * S2.40: menus whose name begins with the text, in the shown language or by pinyin initials; behind them those that hold it, and all pages of a group
 * whose name does. Nothing for an empty text.
 */
export const matchMenu = (items: readonly MenuItem[], text: string, lang: Lang): readonly MenuMatch[] => {
  const wanted = searchFold(text)
  if (wanted === '') return []
  const ways = (label: Label) => [searchFold(label[lang]), ...(lang === 'zh' ? pinyinInitials(label.zh) : [])]
  const holds = (label: Label) =>
    ways(label).some((way, index) => way.startsWith(wanted) || ((index === 0 || wanted.length >= leastInitials) && way.includes(wanted)))
  const rankOf = (label: Label) => (ways(label).some(way => way.startsWith(wanted)) ? 0 : holds(label) ? 1 : null)
  const within = (item: MenuItem, group: Label | null, isInGroup: boolean): readonly MenuMatch[] => {
    if (item.children.length > 0) {
      const isFound = isInGroup || holds(item.label)
      return item.children.flatMap(child => within(child, group ?? item.label, isFound))
    }
    const rank = rankOf(item.label) ?? (isInGroup ? 2 : null)
    return rank === null ? [] : [{ item, group, rank }]
  }
  return items.flatMap(top => within(top, null, false)).toSorted((a, b) => a.rank - b.rank)
}
