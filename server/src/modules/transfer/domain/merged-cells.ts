import { columnLetter } from './sheet.ts'
import { type ImportCell, shownText } from './sheet-cell.ts'

/** Merged cells: rows from 1 as the user sees them, columns from 0. */
export interface CellRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}
/** `C2:C4`. */
export const rangeName = ({ top, bottom, left, right }: CellRange): string => `${columnLetter(left)}${top}:${columnLetter(right)}${bottom}`

interface Open extends CellRange {
  /** What the merged cells show: the text of the first. */
  readonly text: string
}

/** Columns that an import can have (`SHEET_LIMITS`); ranges of whole rows end beyond. */
const mostColumns = 256

/**
 * Marks cells that are merged with another one: they show its text and hold none, or one of their own that nobody sees. Which rows the text was
 * meant for is not known, so such a cell is a fault that names its range. A cell that holds what is shown is left as it is.
 * @param merges of ranges that overlap, as no spreadsheet writes them, the one that begins first counts: the work stays a walk over the columns
 * @returns takes the rows of a sheet in their order, `row` the number the user sees
 */
export const markMerged = (merges: readonly CellRange[]): ((row: number, cells: readonly ImportCell[]) => readonly ImportCell[]) => {
  if (merges.length === 0) return (_, cells) => cells
  const ahead = [...merges].sort((a, b) => b.top - a.top)
  const byColumn: (Open | undefined)[] = []
  return (row, cells) => {
    for (let next = ahead.at(-1); next && next.top <= row; next = ahead.at(-1)) {
      ahead.pop()
      if (next.bottom < row) continue
      // A range whose first row holds nothing shows nothing.
      const range: Open = { ...next, text: next.top === row ? shownText(cells[next.left]).trim() : '' }
      for (let at = range.left; at <= Math.min(range.right, mostColumns - 1); at += 1)
        if ((byColumn[at]?.bottom ?? 0) < row) byColumn[at] = range
    }
    const marked = [...cells]
    byColumn.forEach((range, at) => {
      const own = shownText(cells[at])
      if (!range || range.bottom < row || (at === range.left && row === range.top) || own.trim() === range.text) return
      while (marked.length <= at) marked.push('')
      marked[at] = { shown: own, fault: 'merged', range: rangeName(range) }
    })
    return marked
  }
}
