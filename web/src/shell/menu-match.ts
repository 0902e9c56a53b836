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

/** Where in a text it is read as what was typed, -1 where nowhere. */
export type ReadAt = (text: string, typed: string) => number

/** By initials at once, by pinyin as soon as its table is there. */
const placeIn = (text: string, typed: string, readAt: ReadAt | undefined): number =>
  pinyinInitials(text).some(way => way.startsWith(typed)) ? 0 : (readAt?.(text, typed) ?? -1)

/**
 * S2.40: menus whose name begins with the text, in the shown language or by its pinyin or initials; behind them those that hold it, and all pages of a group
 * whose name does. Nothing for an empty text.
 */
export const matchMenu = (items: readonly MenuItem[], text: string, lang: Lang, readAt?: ReadAt): readonly MenuMatch[] => {
  const wanted = searchFold(text)
  if (wanted === '') return []
  const rankOf = (label: Label): 0 | 1 | null => {
    const name = searchFold(label[lang])
    if (name.startsWith(wanted)) return 0
    // The first letter of a Chinese name is a beginning of it, letters further on say something from the second on.
    const at = lang === 'zh' ? placeIn(label.zh, wanted, readAt) : -1
    return at === 0 ? 0 : at > 0 || name.includes(wanted) ? 1 : null
  }
  const within = (item: MenuItem, group: Label | null, isInGroup: boolean): readonly MenuMatch[] => {
    if (item.children.length > 0) {
      const isFound = isInGroup || rankOf(item.label) !== null
      return item.children.flatMap(child => within(child, group ?? item.label, isFound))
    }
    const rank = rankOf(item.label) ?? (isInGroup ? 2 : null)
    return rank === null ? [] : [{ item, group, rank }]
  }
  return items.flatMap(top => within(top, null, false)).toSorted((a, b) => a.rank - b.rank)
}
