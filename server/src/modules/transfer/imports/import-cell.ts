import type { CellMark, SheetCell } from '#kernel/sheet/cell.ts'
import { plainDigits } from '#kernel/sheet/number-format.ts'
import type { ImportCell, SpecialCell } from '../domain/sheet-cell.ts'

const dateCell = (date: Date, mark: CellMark | undefined): SpecialCell => {
  const text = date.toISOString().slice(0, 19).replace('T', ' ')
  return {
    shown: mark?.shown ?? text.replace(/ 00:00:00$/, ''),
    unshown: mark?.unshown,
    date: text,
    isPartial: mark?.partial !== undefined,
  }
}

/** A cell of a sheet as imports know it; in a column of codes a number is known as one. */
export const importCell = (cell: SheetCell | undefined, mark: CellMark | undefined, isCode = false): ImportCell => {
  if (cell === null || cell === undefined) return ''
  if (mark?.fault) return { shown: String(cell), fault: mark.fault }
  if (cell instanceof Date) return dateCell(cell, mark)
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  const plain = typeof cell === 'number' ? plainDigits(cell) : cell
  if (!mark) return isCode && typeof cell === 'number' ? { shown: plain, digits: plain } : plain
  const special = { shown: mark.shown ?? plain, unshown: mark.unshown }
  return typeof cell === 'number' ? { ...special, digits: plain } : special
}
