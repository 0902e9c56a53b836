import { snakeCase } from '#kernel/names.ts'

/** Words that PostgreSQL does not take as the name of a column or table without quotes (its manual, appendix C: reserved, and reserved but for functions). */
const sqlReserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char character check coalesce
  collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user dec decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign
  freeze from full grant group grouping having ilike in initially inner inout int integer intersect interval into is isnull join lateral leading
  least left like limit localtime localtimestamp national natural nchar none not notnull null nullif numeric offset on only or order out outer
  overlaps overlay placing position precision primary real references returning right row select session_user setof similar smallint some
  substring symmetric system_user table tablesample then time timestamp to trailing treat trim true union unique user using values varchar
  variadic verbose when where window with`.split(/\s+/),
)
/** Words of the language. */
const languageWords = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if
  implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof
  undefined var void while with yield`.split(/\s+/),
)
/** Words that cannot be the name of a constant in a module of generated code. */
const scriptReserved = new Set([...languageWords, ...`date decimal dict dictInt flag instant int ref text defineResource`.split(/\s+/)])

/** What every row has already, what searches and pages are called on the wire, and what every object of JavaScript answers to. */
const takenProperties = new Set(
  `id ids version tenantId createTime updateTime createdAt createdBy updatedAt updatedBy isDeleted current size ascs descs
  constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
  tableoid ctid xmin xmax cmin cmax`.split(/\s+/),
)

/** Columns of the framework and of this program that no form has: who wrote a row, when, and whether it is still there. */
const auditColumns = new Set(
  `tenant_id create_user create_dept create_time update_user update_time is_deleted created_by created_at updated_by updated_at version`.split(
    /\s+/,
  ),
)
export const isAuditColumn = (column: string): boolean => auditColumns.has(column.toLowerCase())

const longestName = 40
/** Whether a field can be called so; what it is called in the new table follows from it. */
export const isProperty = (name: string): boolean =>
  /^[a-z][A-Za-z0-9]*$/.test(name) && name.length <= longestName && !takenProperties.has(name) && !languageWords.has(name)

/** An identifier of SQL: as it is where that is one, else in double quotes. */
export const sqlName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !sqlReserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`

/** The words of a name in whatever way it is written; nothing is left of other than Latin letters and digits. */
const wordsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []).map(word => word.toLowerCase())

const camelOf = ([first = '', ...rest]: readonly string[]): string =>
  first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/**
 * The name of a field after a column, whatever that is called.
 * @param taken - columns of the new table so far; the new one is added
 * @param no - place of the column in its table, for one without a Latin letter
 */
export const propertyOf = (column: string, no: number, taken: Set<string>): string => {
  const plain = camelOf(wordsOf(column)).slice(0, longestName)
  const whole = /^[a-z]/.test(plain) ? plain : `column${no}${plain.replace(/^[0-9]+/, '')}`
  const base = takenProperties.has(whole) || languageWords.has(whole) ? `${whole}Value` : whole
  let name = base
  for (let next = 2; taken.has(snakeCase(name)); next++) name = `${base}${/\d$/.test(base) ? 'x' : ''}${next}`
  taken.add(snakeCase(name))
  return name
}

/** `examSite`, `EXAM_SITE` → `exam-site`: how a noun is called on the wire; undefined where nothing is left of a name. */
export const nounOf = (name: string): string | undefined => {
  const words = wordsOf(name)
  const noun = words.join('-').slice(0, longestName).replace(/-$/, '')
  if (!/^[a-z]/.test(noun)) return undefined
  const table = noun.replaceAll('-', '_')
  return sqlReserved.has(table) || scriptReserved.has(noun) || takenProperties.has(noun) ? `${noun}-row` : noun
}

export const isNoun = (text: string): boolean => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text)
export const tableOf = (noun: string): string => noun.replaceAll('-', '_')
/** `exam-site` → `examSite`: the constant that declares it. */
export const constantOf = (noun: string): string => {
  const name = noun.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return scriptReserved.has(name) ? `${name}Noun` : name
}

/** `exam_site` → `Exam site`: an English label where nobody gave one. */
export const englishOf = (name: string): string => {
  const text = wordsOf(name).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** One line of what somebody wrote as a comment, short enough for the head of a column. */
export const labelText = (text: string, longest = 40): string =>
  [...text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()].slice(0, longest).join('').trim()
