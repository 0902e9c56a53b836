import type { FieldType } from './content.ts'
import { isEmptyValue } from './empty-value.ts'

/** What an answer is read by: a field of the form, or a column of its table. */
export interface AnswerField {
  readonly fieldType: string
  readonly itemKey?: string | undefined
  readonly dictCode?: string | null | undefined
  /** What it chooses from, where that came along. */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | null | undefined
  readonly columns?: readonly (AnswerField & { readonly key: string })[] | null | undefined
}

/** In which words answers are said. */
export interface AnswerWords {
  /** What a chosen key or the code of a region is called; undefined where nobody knows, then the key itself stands. */
  readonly chosen: (field: AnswerField, key: string) => string | undefined
  /** Between things chosen, between the cells of a row, between rows. */
  readonly between: string
  readonly betweenCells: string
  readonly betweenRows: string
  /** In the place of a picture: its answer is the number of a file. */
  readonly provided: string
  /** In the place of an answer that nobody has opened. */
  readonly sealed: string
  /** What becomes of a cell that no column declares, or of a text that must not be read whole. */
  readonly cell?: (text: string) => string
}

const pictures: ReadonlySet<FieldType> = new Set(['image', 'signature'])
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As the store keeps an answer of class 2 (domain 3.3): `{e: ciphertext}`; no answer that was typed has this shape. */
export const isSealedAnswer = (value: unknown): value is { readonly e: string } => isObject(value) && typeof value['e'] === 'string'

/** The cells of a row in the order in which the form asks for them, what it does not know behind. */
const rowText = (field: AnswerField, row: Readonly<Record<string, unknown>>, words: AnswerWords): string => {
  const columns = field.columns ?? []
  const known = columns.filter(column => Object.hasOwn(row, column.key))
  const more = Object.keys(row).filter(key => !columns.some(column => column.key === key))
  const cell = words.cell ?? (text => text)
  return [
    ...known.map(column => cell(answerText(column, row[column.key], words))),
    ...more.map(key => cell(answerText({ fieldType: 'text' }, row[key], words))),
  ]
    .filter(text => text !== '')
    .join(words.betweenCells)
}

/**
 * An answer of a form as a text, of whichever type its field is and whatever was stored: the only place where answers become texts. Empty for
 * an answer that was not given.
 */
export const answerText = (field: AnswerField, value: unknown, words: AnswerWords): string => {
  if (isEmptyValue(value)) return ''
  if (isSealedAnswer(value)) return words.sealed
  if (pictures.has(field.fieldType as FieldType)) return words.provided
  if (Array.isArray(value)) {
    const texts = value.map(one => answerText(field, one, words)).filter(text => text !== '')
    return texts.join(value.some(isObject) ? words.betweenRows : words.between)
  }
  if (isObject(value)) return rowText(field, value, words)
  const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
  return words.chosen(field, text) ?? text
}
