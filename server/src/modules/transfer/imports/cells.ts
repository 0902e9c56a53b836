import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { fileName, streamWorkbook } from '#kernel/crud/export.ts'
import type { Ctx, FileAnswer } from '#kernel/http/context.ts'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import type { RowReader } from '../domain/sheet.ts'
import type { ImportDefinition } from './run-import.ts'

/** Names in one cell, divided by any of the usual signs. */
export const namesIn = (text: string): readonly string[] =>
  [...new Set(text.split(/[,，;；、\n]/).map(name => name.trim()))].filter(Boolean)

/** The text of a cell, of so many characters at the most. */
export const short = <K extends string>(reader: RowReader<K>, key: K, most: number): string => {
  const text = reader.text(key)
  if ([...text].length > most) reader.fail(key, 'too-long', { zh: `超过 ${most} 个字`, en: `Longer than ${most} characters` })
  return text
}

const mostSort = 9_999
/** A place in a list; null where the cell is empty. */
export const sortOf = <K extends string>(reader: RowReader<K>, key: K): number | null => {
  const text = reader.code(key)
  if (text === '') return null
  if (!/^\d{1,4}$/.test(text))
    reader.fail(key, 'number', { zh: `排序须为 0 至 ${mostSort} 的整数`, en: `A whole number from 0 to ${mostSort}` })
  return Number(text)
}

/** Yes or no, as exports write it or as the wire has it; null where the cell is empty. */
export const flagOf = <K extends string>(reader: RowReader<K>, key: K): 0 | 1 | null => {
  const text = reader.code(key).toLowerCase()
  if (text === '') return null
  if (['1', '是', 'yes', 'true'].includes(text)) return 1
  if (!['0', '否', 'no', 'false'].includes(text)) reader.fail(key, 'flag', { zh: '请填 是 或 否', en: 'Enter yes or no' })
  return 0
}

/** The empty workbook of an import as the answer of its own call. */
export const templateAnswer = async <T>(ctx: Ctx, { label, template }: ImportDefinition<T>): Promise<FileAnswer | Refusal> => {
  if (!template) throw new Error(`nothing to fill in for ${label.en}`)
  const book = await ctx.tx(db => template(db, { examId: undefined, itemId: undefined, ctx }))
  return isRefusal(book) ? book : streamWorkbook(fileName(ctx.say(label)), target => writeSheet(target, book))
}
