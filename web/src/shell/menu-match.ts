import { pinyinInitials } from '#contract/kernel/pinyin-initials.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import type { Label, Lang } from '../kernel/i18n/index.ts'
import { leavesOf, type MenuItem } from './menu.ts'

export interface MenuMatch {
  readonly item: MenuItem
  /** Names of the groups it lies in. */
  readonly group: Label | null
}

/** S2.40: menus whose name begins with the text, in the shown language or by pinyin initials; nothing for an empty text. */
export const matchMenu = (items: readonly MenuItem[], text: string, lang: Lang): readonly MenuMatch[] => {
  const wanted = searchFold(text)
  if (wanted === '') return []
  const starts = ({ label }: MenuItem) =>
    searchFold(label[lang]).startsWith(wanted) || (lang === 'zh' && pinyinInitials(label.zh).some(way => way.startsWith(wanted)))
  return items.flatMap(top => leavesOf([top]).flatMap(item => (starts(item) ? [{ item, group: item === top ? null : top.label }] : [])))
}
