import { PassThrough } from 'node:stream'
import type { Label } from '#contract/kernel/label.ts'
import { type SheetBook, type SheetColumn, type SheetLine, writeSheet } from '#kernel/sheet/write-sheet.ts'
import { type CellProblem, columnLetter } from '../domain/sheet.ts'
import { isEmptyRow, shownText } from '../domain/sheet-cell.ts'
import type { SheetTexts } from './sheet-file.ts'

export const bookBytes = async (book: SheetBook): Promise<Buffer> => {
  const target = new PassThrough()
  const chunks: Buffer[] = []
  target.on('data', chunk => chunks.push(chunk as Buffer))
  await writeSheet(target, book)
  return Buffer.concat(chunks)
}

export interface ErrorBookFacts {
  readonly sheet: SheetTexts
  readonly errors: readonly CellProblem[]
  readonly say: (label: Label) => string
  /** What the import was, for the summary. */
  readonly lines: readonly (readonly [Label, string | number])[]
  /** What the template has in this column; undefined for one it has not. */
  readonly columnOf: (header: string) => SheetColumn | undefined
}

/**
 * The error workbook (domain 5.9): the user's own sheet with marked cells and two columns more, the wrong rows alone in the same
 * columns, ready to be corrected and sent again, and a summary. Its columns have the formats, lists and hints of the template.
 */
export const errorBook = ({ sheet, errors, say, lines, columnOf }: ErrorBookFacts): SheetBook => {
  const byRow = Map.groupBy(errors, error => error.row)
  let width = sheet.header.length
  for (const row of sheet.rows) width = Math.max(width, row.length)
  const columns = Array.from({ length: width }, (_, i) => {
    const header = sheet.header[i] ?? ''
    return { ...columnOf(header), header }
  })
  function* marked(): Generator<SheetLine> {
    let at = 1
    for (const row of sheet.rows) {
      at += 1
      const problems = byRow.get(at)
      const isEmpty = isEmptyRow(row)
      yield [
        ...columns.map((_, i) => {
          const here = problems?.filter(problem => problem.column === columnLetter(i)) ?? []
          if (here.length === 0) return shownText(row[i])
          return { value: shownText(row[i]), fill: 'red' as const, comment: here.map(problem => say(problem.reason)).join('\n') }
        }),
        isEmpty ? '' : problems ? { value: say({ zh: '不通过', en: 'Wrong' }), fill: 'red' as const } : say({ zh: '通过', en: 'Right' }),
        problems?.map(problem => `${problem.header}: ${say(problem.reason)}`).join('；') ?? '',
      ]
    }
  }
  function* wrong(): Generator<SheetLine> {
    let at = 1
    for (const row of sheet.rows) {
      at += 1
      if (byRow.has(at)) yield columns.map((_, i) => shownText(row[i]))
    }
  }
  return {
    sheets: [
      {
        name: say({ zh: '校验结果', en: 'Result' }),
        columns: [
          ...columns,
          { header: say({ zh: '校验结果', en: 'Result' }) },
          { header: say({ zh: '错误原因', en: 'Reasons' }), width: 60 },
        ],
        rows: marked(),
      },
      { name: say({ zh: '错误行', en: 'Wrong rows' }), columns, rows: wrong() },
      {
        name: say({ zh: '汇总', en: 'Summary' }),
        columns: [
          { header: say({ zh: '项目', en: 'What' }), width: 24 },
          { header: say({ zh: '内容', en: 'Value' }), width: 40 },
        ],
        rows: lines.map(([what, value]) => [say(what), String(value)]),
      },
    ],
  }
}
