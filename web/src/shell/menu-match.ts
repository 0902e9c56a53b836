import type { Label, Lang } from '../kernel/i18n/index.ts'
import { leavesOf, type MenuItem } from './menu.ts'

/** First characters of the syllables of each initial, in the order of a pinyin collation; no syllable begins with i, u or v. */
const firsts: readonly (readonly [initial: string, first: string])[] = [
  ['a', '阿'],
  ['b', '八'],
  ['c', '嚓'],
  ['d', '咑'],
  ['e', '妸'],
  ['f', '发'],
  ['g', '旮'],
  ['h', '哈'],
  ['j', '丌'],
  ['k', '咔'],
  ['l', '垃'],
  ['m', '妈'],
  ['n', '拏'],
  ['o', '噢'],
  ['p', '妑'],
  ['q', '七'],
  ['r', '呥'],
  ['s', '仨'],
  ['t', '他'],
  ['w', '穵'],
  ['x', '夕'],
  ['y', '丫'],
  ['z', '帀'],
]

let collator: Intl.Collator | undefined
const initialOf = (character: string): string => {
  if (!/\p{Script=Han}/u.test(character)) return character
  collator ??= new Intl.Collator('zh-Hans-CN-u-co-pinyin')
  const compare = collator.compare.bind(collator)
  return firsts.findLast(([, first]) => compare(first, character) <= 0)?.[0] ?? character
}

/**
 * First letters of the pinyin of a name: 参数管理 gives `csgl`. The browser's own collation knows them, so no dictionary is
 * loaded; a character with two readings counts by its common one.
 */
export const initialsOf = (name: string): string => Array.from(name.replace(/\s/g, ''), initialOf).join('').toLowerCase()

export interface MenuMatch {
  readonly item: MenuItem
  /** Names of the groups it lies in. */
  readonly group: Label | null
}

/** S2.40: menus whose name begins with the text, in the shown language or by pinyin initials; nothing for an empty text. */
export const matchMenu = (items: readonly MenuItem[], text: string, lang: Lang): readonly MenuMatch[] => {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const starts = ({ label }: MenuItem) =>
    label[lang].toLowerCase().startsWith(wanted) || (lang === 'zh' && initialsOf(label.zh).startsWith(wanted))
  return items.flatMap(top => leavesOf([top]).flatMap(item => (starts(item) ? [{ item, group: item === top ? null : top.label }] : [])))
}
