import type { Label } from '#contract/kernel/label.ts'
import {
  bornNeed,
  type ConditionCheck,
  freshNeed,
  type GraduatePolicy,
  hukouText,
  type PostConditions,
} from '#contract/signup/conditions.ts'

/** Dictionary key → label by dictionary code; a key that is not there shows itself. */
export type LabelOf = (dictCode: string, key: string) => Label | undefined

/** Labels of dictionary entries, and the entries of one dictionary in their order. */
export interface Dictionary {
  readonly labelOf: LabelOf
  readonly entries: (code: string) => readonly { readonly key: string; readonly label: Label }[]
}

/** Rows in the order in which the dictionary lists their keys; those it does not know come last, as they stood. */
export const inOrderOf = <T>(
  { entries }: Pick<Dictionary, 'entries'>,
  code: string,
  rows: readonly T[],
  keyOf: (row: T) => string,
): T[] => {
  const places = new Map(entries(code).map(({ key }, place) => [key, place]))
  const placeOf = (row: T): number => places.get(keyOf(row)) ?? places.size
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const same = (text: string): Label => ({ zh: text, en: text })
const any: Label = { zh: '不限', en: 'Any' }
const none: Label = { zh: '', en: '' }

const minimum = (condition: { readonly min: string } | readonly string[] | null, of: (key: string) => Label): Label => {
  if (!condition) return any
  if ('min' in condition) {
    const { zh, en } = of(condition.min)
    return { zh: `${zh}及以上`, en: `${en} or higher` }
  }
  return joined(condition.map(of))
}
const joined = (labels: readonly Label[]): Label =>
  labels.length === 0 ? any : { zh: labels.map(one => one.zh).join('、'), en: labels.map(one => one.en).join(', ') }

/** Beside an education of the same English name it says what it is. */
const degreeOf = ({ zh, en }: Label): Label => ({ zh, en: /degree|none|^[^a-z]*$/i.test(en) ? en : `${en}’s degree` })

/** What an announcement says of age is written in Chinese: its figures and the bounds of the birth date say the same in English. */
const ageOf = (text: string, from: string | null, to: string | null): Label => {
  const bounds = from || to ? bornNeed(from, to) : undefined
  const years = [
    ...[...text.matchAll(/(\d+)\s*周?岁(?:[(（]含[)）])?(?:及以上|以上)/g)].map(([, age]) => `${age} years or older`),
    ...[...text.matchAll(/(\d+)\s*周?岁(?:[(（]含[)）])?(?:及以下|以下)/g)].map(([, age]) => `${age} years or younger`),
  ].join(', ')
  const written = /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日(?:及)?(以后|以前)出生/.exec(text)
  const day = written
    ?.slice(1, 4)
    .map(part => part.padStart(2, '0'))
    .join('-')
  const born = bounds?.en ?? (day && `${day} or ${written?.[4] === '以后' ? 'later' : 'earlier'}`)
  const en = [years, born && `born ${born}`].filter(Boolean).join('; ')
  return { zh: text || (bounds ? `${bounds.zh}出生` : ''), en: en === '' ? text : en.charAt(0).toUpperCase() + en.slice(1) }
}

/** The conditions of a post in words. */
export const conditionTexts = (post: PostConditions & { readonly ageText?: string | null }, policy: GraduatePolicy, labelOf: LabelOf) => {
  const of = (code: string) => (key: string) => labelOf(code, key) ?? same(key)
  return {
    ageText: ageOf(post.ageText ?? '', post.bornFrom, post.bornTo),
    sexText: post.sex === 1 ? { zh: '男', en: 'Male' } : post.sex === 2 ? { zh: '女', en: 'Female' } : any,
    educationText: minimum(post.educations, key => (key === '11' ? { zh: '博士研究生', en: 'Doctoral graduate' } : of('education')(key))),
    degreeText: minimum(post.degrees, key => degreeOf(of('degree')(key))),
    majorText:
      post.majorText !== '' ? same(post.majorText) : joined([...new Set(post.majors.map(major => major.name || major.code))].map(same)),
    freshText: post.fresh === 1 ? freshNeed(policy) : post.fresh === 2 ? { zh: '往届', en: 'Past graduates' } : any,
    politicalText: joined(post.political.map(of('political'))),
    hukouText: post.hukou ? hukouText(post.hukou, of('region')) : any,
    certText: joined(post.cert.map(of('cert'))),
    titleText: post.title ? minimum(post.title, of('title')) : any,
    workYearsText: post.minWorkYears ? { zh: `${post.minWorkYears} 年及以上`, en: `${post.minWorkYears} years or more` } : none,
  } satisfies Record<string, Label>
}

/** How well somebody fits: the worst of the checks (domain 5.1 `match`). */
export const matchOf = (checks: readonly ConditionCheck[]): 'ok' | 'warn' | 'no' =>
  checks.some(check => check.result === 'no' && check.blocking) ? 'no' : checks.some(check => check.result !== 'ok') ? 'warn' : 'ok'
