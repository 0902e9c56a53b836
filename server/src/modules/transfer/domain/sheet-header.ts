import { withoutUnseen } from '#contract/kernel/unseen.ts'
import { type CellRange, rangeName } from './merged-cells.ts'
import { columnLetter, type FileProblem, type HeaderSpec, headerKey, headerKeysOf, type RowWarning } from './sheet.ts'
import { faultOf, type ImportCell, shownText } from './sheet-cell.ts'

/** A row near the top of a sheet, by the number the user sees. */
export interface HeadRow {
  readonly row: number
  readonly cells: readonly ImportCell[]
}

/** The row whose cells name the columns. */
export interface FoundHeader {
  readonly row: number
  readonly header: readonly string[]
  readonly faults: readonly FileProblem[]
  readonly warnings: readonly RowWarning[]
}

const clean = (cell: ImportCell | undefined): string => withoutUnseen(shownText(cell)).trim()

/** The texts of a row; a cell that is merged with those above it has the text of the topmost. */
const textsOf = ({ row, cells }: HeadRow, rows: readonly HeadRow[], merges: readonly CellRange[]): readonly string[] => {
  const texts = Array.from(cells, cell => clean(cell))
  for (const { top, bottom, left } of merges) {
    if (row <= top || row > bottom || texts[left]) continue
    const above = rows.find(one => one.row === top)
    while (texts.length <= left) texts.push('')
    texts[left] = clean(above?.cells[left])
  }
  return texts
}

/**
 * The header is the row that names most columns of the template: titles may stand above it, and cells of two rows may be merged. Where no row
 * names any, it is the first, and what is missing is said of that.
 */
export const findHeader = (
  specs: Readonly<Record<string, HeaderSpec>>,
  rows: readonly HeadRow[],
  merges: readonly CellRange[],
  isMark: (texts: readonly string[]) => boolean,
): FoundHeader => {
  const known = new Set(Object.values(specs).flatMap(headerKeysOf))
  const isKnown = (text: string): boolean => known.has(headerKey(text).toLowerCase())
  const unmarked = rows.filter(({ cells }) => !isMark(cells.map(shownText)))
  const read = unmarked.map(one => ({ one, texts: textsOf(one, rows, merges) }))
  const score = (texts: readonly string[]): number => new Set(texts.filter(isKnown).map(text => headerKey(text).toLowerCase())).size
  const [first] = read
  const best = read.reduce<typeof first>((most, next) => (!most || score(next.texts) > score(most.texts) ? next : most), undefined)
  if (!best) return { row: 1, header: [], faults: [], warnings: [] }
  const { row, cells } = best.one
  const faults = cells.flatMap((cell, at): FileProblem[] => {
    if (!faultOf(cell)) return []
    const place = `${columnLetter(at)}${row}`
    return [
      {
        code: 'header-cell',
        reason: {
          zh: `表头单元格 ${place} 是公式、错误值或图片，请直接填写列名`,
          en: `The header cell ${place} is a formula, an error or a picture; type the name of the column`,
        },
      },
    ]
  })
  for (const range of merges) {
    const text = best.texts[range.left] ?? ''
    if (range.right === range.left || row < range.top || row > range.bottom || !isKnown(text)) continue
    faults.push({
      code: 'header-merged',
      reason: {
        zh: `表头“${text}”是合并的单元格 ${rangeName(range)}，请取消合并，每列写一个列名`,
        en: `The header “${text}” is merged over ${rangeName(range)}; undo the merge and name each column`,
      },
    })
  }
  // A cell that reaches down into the header is a part of it.
  const isHeader = (at: number, column: number): boolean =>
    merges.some(({ top, bottom, left, right }) => top <= at && bottom >= row && left <= column && column <= right)
  const above = unmarked
    .filter(one => one.row < row)
    .flatMap(one =>
      one.cells
        .filter((_, column) => !isHeader(one.row, column))
        .map(clean)
        .filter(Boolean),
    )
  const words = [...above.join(' ')].slice(0, 60).join('')
  const warnings =
    above.length === 0
      ? []
      : [
          {
            row,
            reason: {
              zh: `表头在第 ${row} 行，其上的内容没有导入: ${words}`,
              en: `The header is row ${row}; what stands above it is not imported: ${words}`,
            },
          },
        ]
  return { row, header: best.texts, faults, warnings }
}
