import type { Label } from '#contract/kernel/label.ts'

/** What a column of a database becomes in a noun, or why it becomes nothing. */
export type ColumnKind =
  | { readonly kind: 'text'; readonly max: number; readonly isLong?: true }
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'decimal'; readonly digits: number; readonly places: number }
  | { readonly kind: 'flag' | 'date' | 'instant' }
  | { readonly kind: 'left-out'; readonly why: LeftOut }

/** Why a column is left out. */
export const leftOutReasons = {
  array: { zh: '数组', en: 'an array' },
  enum: { zh: '枚举', en: 'an enum' },
  json: { zh: 'JSON 或 XML', en: 'JSON or XML' },
  bytes: { zh: '二进制内容', en: 'bytes' },
  generated: { zh: '由数据库计算', en: 'worked out by the database' },
  other: { zh: '没有对应的类型', en: 'a type that has no counterpart' },
} as const satisfies Readonly<Record<string, Label>>
export type LeftOut = keyof typeof leftOutReasons

const longText = 4_000
const usualText = 255
const out = (why: LeftOut): ColumnKind => ({ kind: 'left-out', why })
const whole = (digits: number): ColumnKind => ({ kind: 'decimal', digits, places: 0 })
const ofInt = (bits: number, isUnsigned: boolean): ColumnKind =>
  isUnsigned
    ? bits > 31
      ? whole(10)
      : { kind: 'int', min: 0, max: 2 ** bits - 1 }
    : { kind: 'int', min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }

const texts = new Set(['character varying', 'varchar', 'character', 'char', 'bpchar', '"char"', 'nvarchar', 'nchar', 'citext'])
const longTexts = new Set(['text', 'tinytext', 'mediumtext', 'longtext'])
const namedTexts: ReadonlyMap<string, number> = new Map([
  ['name', 63],
  ['uuid', 36],
  ['inet', 50],
  ['cidr', 50],
  ['macaddr', 17],
  ['macaddr8', 23],
  ['time', 20],
  ['time without time zone', 20],
  ['time with time zone', 25],
])
const ints: ReadonlyMap<string, number> = new Map([
  ['tinyint', 8],
  ['smallint', 16],
  ['int2', 16],
  ['mediumint', 24],
  ['integer', 32],
  ['int', 32],
  ['int4', 32],
])
const fixedKinds: ReadonlyMap<string, ColumnKind> = new Map([
  ['boolean', { kind: 'flag' }],
  ['bool', { kind: 'flag' }],
  ['date', { kind: 'date' }],
  ['datetime', { kind: 'instant' }],
  ['timestamp', { kind: 'instant' }],
  ['timestamp without time zone', { kind: 'instant' }],
  ['timestamp with time zone', { kind: 'instant' }],
  ['year', { kind: 'int', min: 0, max: 9_999 }],
  ['money', { kind: 'decimal', digits: 17, places: 2 }],
  ['oid', whole(10)],
  ['real', { kind: 'decimal', digits: 12, places: 6 }],
  ['float', { kind: 'decimal', digits: 12, places: 6 }],
  ['double', { kind: 'decimal', digits: 15, places: 6 }],
  ['double precision', { kind: 'decimal', digits: 15, places: 6 }],
])
const leftOut: ReadonlyMap<string, LeftOut> = new Map(
  (
    [
      ['enum', ['enum', 'set']],
      ['json', ['json', 'jsonb', 'xml', 'hstore']],
      ['bytes', ['bytea', 'binary', 'varbinary', 'blob', 'tinyblob', 'mediumblob', 'longblob']],
    ] as const
  ).flatMap(([why, types]) => types.map(type => [type, why] as const)),
)

/** What a column is by the words in which its database names its type: `character varying(50)`, `int(11) unsigned`, `enum('a','b')`. */
export const kindOf = (type: string): ColumnKind => {
  const text = type.trim().toLowerCase()
  if (text.endsWith('[]')) return out('array')
  const [, before = '', inside = '', after = ''] = /^([^(]*)(?:\(([\s\S]*)\))?([^)]*)$/.exec(text) ?? []
  const isUnsigned = /\bunsigned\b/.test(after) || /\bunsigned\b/.test(before)
  const base = `${before.trim()} ${after.trim()}`
    .replace(/\b(unsigned|zerofill)\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const numbers = /^[\d\s,-]+$/.test(inside) ? inside.split(',').map(Number) : []
  const why = leftOut.get(base)
  if (why !== undefined) return out(why)
  if ((base === 'tinyint' || base === 'bit') && numbers[0] === 1) return { kind: 'flag' }
  const bits = ints.get(base)
  if (bits !== undefined) return ofInt(bits, isUnsigned)
  if (base === 'bigint' || base === 'int8') return whole(20)
  if (base === 'numeric' || base === 'decimal') {
    const [precision, scale = 0] = numbers
    if (precision === undefined) return { kind: 'decimal', digits: 16, places: 6 }
    const places = Math.min(Math.max(scale, 0), 10)
    return { kind: 'decimal', digits: Math.min(Math.max(precision - Math.max(scale, 0), 1), 30), places }
  }
  if (texts.has(base))
    return { kind: 'text', max: Math.min(numbers[0] ?? usualText, longText), ...((numbers[0] ?? 0) > 300 ? { isLong: true as const } : {}) }
  if (longTexts.has(base)) return { kind: 'text', max: longText, isLong: true }
  const named = namedTexts.get(base)
  if (named !== undefined) return { kind: 'text', max: named }
  return fixedKinds.get(base) ?? out('other')
}
