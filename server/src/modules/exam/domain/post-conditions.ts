import type { PostConditions } from '#contract/signup/conditions.ts'
import { TITLES } from '#contract/signup/conditions.ts'

/** Readers of the condition cells of a post table; each gives undefined for a text that is not in its dictionary. */

const isAny = (text: string): boolean => text === '' || text === '不限' || text === '无'
/** Lists in one cell are divided by any of these; commas of both widths among them. */
export const splitCell = (text: string): string[] =>
  text
    .split(/[;；,，、]/)
    .map(part => part.trim())
    .filter(part => part !== '')

export function parseSex(text: string): 0 | 1 | 2 | undefined {
  if (isAny(text) || text === '0') return 0
  return text === '男' || text === '1' ? 1 : text === '女' || text === '2' ? 2 : undefined
}

export function parseFresh(text: string): 0 | 1 | 2 | undefined {
  if (isAny(text) || text === '0') return 0
  if (/^(?:1|应届|应届生|应届毕业生|限应届)$/.test(text)) return 1
  return /^(?:2|往届|非应届|限往届)$/.test(text) ? 2 : undefined
}

/** Names announcements use, with the dictionary key of domain 13.1; 11 asks for a doctorate, which key 10 does not tell. */
const EDUCATIONS: Readonly<Record<string, string>> = {
  研究生: '10',
  硕士研究生: '10',
  硕士: '10',
  博士研究生: '11',
  博士: '11',
  本科: '20',
  大学本科: '20',
  专科: '30',
  大专: '30',
  大学专科: '30',
  中专: '40',
  中职: '40',
  '高中(中专)': '60',
  '高中(含中专)': '60',
  高中: '60',
  初中: '70',
}
const DEGREES: Readonly<Record<string, string>> = { 博士: '1', 硕士: '2', 学士: '3' }

/** `本科及以上`, `博士研究生`, `20`, `不限`; a level without 及以上 means that level or more too. */
export function parseMinimum(text: string, kind: 'education' | 'degree'): { readonly min: string } | null | undefined {
  if (isAny(text)) return null
  const table = kind === 'education' ? EDUCATIONS : DEGREES
  const name = text.replace(/(?:及|或)?以上(?:学历|学位)?$/, '').replace(/(?:学历|学位)$/, '')
  if (Object.hasOwn(table, name)) return { min: table[name] as string }
  return Object.values(table).includes(text) ? { min: text } : undefined
}

/** `中共党员(含预备党员)` → 01, 02. `labels` is label → key of dictionary `political`. */
export function parsePolitical(text: string, labels: ReadonlyMap<string, string>): readonly string[] | undefined {
  if (isAny(text)) return []
  const keys = splitCell(text).flatMap(part => {
    const name = part.replaceAll('（', '(').replaceAll('）', ')')
    if (/^中共党员\(含(?:中共)?预备党员\)$/.test(name)) return ['01', '02']
    if (/^中共党员\(不含(?:中共)?预备党员\)$/.test(name)) return ['01']
    const key = labels.get(name) ?? ([...labels.values()].includes(name) ? name : undefined)
    return key === undefined ? [undefined] : [key]
  })
  return keys.every(key => key !== undefined) ? keys : undefined
}

export function parseTitle(text: string): PostConditions['title'] | undefined {
  if (isAny(text)) return null
  const name = text
    .replace(/(?:及|或)?以上(?:职称)?$/, '')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
  return (TITLES as readonly string[]).includes(name) ? { min: name } : undefined
}

/** A text of region codes can be compared by program (`330100;330200`), any other is for a person. Codes lose their trailing 00 pairs. */
export function parseHukou(text: string): PostConditions['hukou'] {
  if (isAny(text)) return null
  const parts = splitCell(text)
  const prefixes = parts.every(part => /^[1-9]\d{5}$/.test(part)) ? parts.map(part => part.replace(/(?:00){1,2}$/, '')) : []
  return { text, prefixes }
}

/** Names in `本科：临床医学、麻醉学；研究生：内科学`, without the level in front of the colon. */
export const majorNames = (text: string): string[] =>
  /^(?:专业)?不限$/.test(text) ? [] : text.split(/[;；]/).flatMap(part => splitCell(part.replace(/^[^:：]{1,8}[:：]/, '')))
