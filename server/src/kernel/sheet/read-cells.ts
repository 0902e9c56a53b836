import { unsolvedFormula } from '#contract/kernel/unsolved-formula.ts'
import type { CellMark, SheetCell } from './cell.ts'
import { GENERAL, type NumberFormat, plainDigits, type Shown, showDate, showNumber, showText } from './number-format.ts'
import { type Book, stringReader } from './open-book.ts'
import { attributeOf, decodeExcel, isOn, scanXml } from './xml-scan.ts'

/** A cell as it is read: its value, and what has to be known besides where it is no plain one. */
export interface ReadCell {
  readonly value: SheetCell
  readonly mark?: CellMark
}

/** A row of a sheet; cells without anything in them are left out. */
export interface ReadRow {
  /** As the user sees it, from 1. */
  readonly row: number
  readonly cells: ReadonlyMap<number, ReadCell>
  readonly isHidden: boolean
}

/** What is said about a sheet around its rows. */
export interface SheetShape {
  /** Ranges of columns, from 0, that are hidden. */
  readonly hiddenColumns: readonly (readonly [number, number])[]
  /** A filter hides rows. */
  readonly isFiltered: boolean
}

/** 9999-12-31, the last day that a spreadsheet knows. */
const lastSerial = 2_958_466

/** The date of a serial number; undefined for none: 29 February 1900 is one that spreadsheets count and that never was. */
const dateOf = (serial: number, is1904: boolean): Date | undefined => {
  if (serial < 0 || serial >= lastSerial) return undefined
  const seconds = Math.round(serial * 86_400) * 1_000
  if (is1904) return new Date(Date.UTC(1904, 0, 1) + seconds)
  if (serial >= 60 && serial < 61) return undefined
  return new Date(Date.UTC(1899, 11, serial < 60 ? 31 : 30) + seconds)
}

/** Of the form of dates that the strict standard writes. */
const isoDate = (text: string): Date | undefined => {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?Z?)?$/.exec(text)
  if (!match) return undefined
  const date = new Date(`${match[1]}-${match[2]}-${match[3]}T${match[4] ?? '00'}:${match[5] ?? '00'}:${match[6] ?? '00'}Z`)
  return Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(match[3]) ? undefined : date
}

/** @returns undefined where what is shown are the digits or the text themselves */
const markOf = (shown: Shown, plain: string): CellMark | undefined =>
  'unshown' in shown ? { unshown: shown.unshown } : shown.text === plain ? undefined : { shown: shown.text }
const marked = (value: SheetCell, mark: CellMark | undefined): ReadCell => (mark ? { value, mark } : { value })
/** What is no plain value: a picture in a cell, a linked record, a type that nobody knows. */
const rich = (text: string): ReadCell => ({ value: text || '#VALUE!', mark: { fault: 'rich' } })

/** A cell of the file, taken together from its tags. */
interface RawCell {
  type: string
  style: number
  isRich: boolean
  hasFormula: boolean
  formula: string
  hasValue: boolean
  value: string
}

const unitMs = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 } as const

/**
 * A date is what its format shows: a cell that shows a day may hold a time that nobody sees or meant. SheetJS 0.18.5 writes local midnight
 * in Asia/Shanghai 43 seconds late (the zone's offset before 1901), and `NOW()+7` shown as a day has the time of its author's clock.
 */
const dateCell = (stored: Date, format: NumberFormat): ReadCell => {
  const date = new Date(Math.floor(stored.getTime() / unitMs[format.unit ?? 'second']) * unitMs[format.unit ?? 'second'])
  const mark = markOf(showDate(date, format), '')
  return { value: date, mark: { ...mark, ...(format.date && format.date !== 'whole' ? { partial: format.date } : {}) } }
}

const numberCell = (text: string, format: NumberFormat, { is1904 }: Book, hidesZeros: boolean): ReadCell => {
  const value = Number(text)
  if (!Number.isFinite(value)) return rich(text)
  if (format.date) {
    const date = dateOf(value, is1904)
    return date ? dateCell(date, format) : { value, mark: { unshown: 'nothing' } }
  }
  if (value === 0 && hidesZeros) return { value, mark: { unshown: 'nothing' } }
  return marked(value, markOf(showNumber(value, format), plainDigits(value)))
}

const textCell = (text: string, format: NumberFormat): ReadCell =>
  format === GENERAL || text === '' ? { value: text } : marked(text, markOf(showText(text, format), text))

const cellOf = (raw: RawCell, book: Book, hidesZeros: boolean): ReadCell => {
  const { type, value } = raw
  const format = book.formats[raw.style] ?? GENERAL
  const isText = type === 'str' || type === 'inlineStr'
  if (raw.isRich || /DISPIMG\(/i.test(raw.formula)) return rich(value)
  if (type === 'e') return { value: value || '#VALUE!', mark: { fault: 'error' } }
  // An empty text is a value: `=""` has one.
  if (raw.hasFormula && (book.isStale || !raw.hasValue || (value === '' && !isText)))
    return { value: unsolvedFormula, mark: { fault: 'formula' } }
  if (isText) return textCell(value, format)
  if (value === '') return { value: null }
  switch (type) {
    case 's': {
      const text = book.strings[Number(value)]
      return text === undefined ? rich(value) : textCell(text, format)
    }
    case 'b':
      return value === '1' || value === 'true' ? { value: true } : value === '0' || value === 'false' ? { value: false } : rich(value)
    case 'd': {
      const date = isoDate(value)
      return date ? dateCell(date, format) : rich(value)
    }
    case 'n':
      return numberCell(value, format, book, hidesZeros)
    default:
      return rich(value)
  }
}

/** A → 0, AA → 26; digits behind are left alone. */
const columnOf = (reference: string): number => {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & 0xdf
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column - 1
}

/** Excel's last column. */
const mostColumns = 16_384

/** Reads a sheet that comes in pieces, row by row. */
export const readCells = (book: Book, onRow: (row: ReadRow) => void): { push(piece: string): void; end(): SheetShape } => {
  const hiddenColumns: (readonly [number, number])[] = []
  let isFiltered = false
  let hidesZeros = false
  let row: { row: number; cells: Map<number, ReadCell>; isHidden: boolean } | undefined
  let lastRow = 0
  let column = -1
  let cell: RawCell | undefined
  let part: 'value' | 'formula' | 'inline' | undefined
  const inline = stringReader()
  const openRow = (attributes: string): void => {
    lastRow = Number(attributeOf(attributes, 'r') ?? lastRow + 1)
    if (!Number.isInteger(lastRow) || lastRow < 1) throw new Error('row number')
    row = {
      row: lastRow,
      cells: new Map(),
      isHidden: isOn(attributeOf(attributes, 'hidden')) || Number(attributeOf(attributes, 'ht') ?? 1) === 0,
    }
    column = -1
  }
  const openCell = (attributes: string): void => {
    const reference = attributeOf(attributes, 'r')
    column = reference === undefined ? column + 1 : columnOf(reference)
    if (column < 0 || column >= mostColumns) throw new Error('cell reference')
    cell = {
      type: attributeOf(attributes, 't') ?? 'n',
      style: Number(attributeOf(attributes, 's') ?? 0),
      isRich: attributeOf(attributes, 'vm') !== undefined,
      ...{ hasFormula: false, formula: '', hasValue: false, value: '' },
    }
  }
  const closeCell = (): void => {
    if (cell && row) {
      const read = cellOf(cell, book, hidesZeros)
      if (read.value !== null && read.value !== '') row.cells.set(column, read)
    }
    cell = undefined
  }
  const openPart = (name: string): void => {
    if (!cell) return
    if (name === 'v') {
      part = 'value'
      cell.hasValue = true
    } else if (name === 'f') {
      part = 'formula'
      cell.hasFormula = true
    } else if (name === 'is') {
      part = 'inline'
      cell.hasValue = true
    } else if (part === 'inline') inline.open(name)
  }
  const openAround = (name: string, attributes: string): void => {
    if (name === 'sheetView') hidesZeros = attributeOf(attributes, 'showZeros') === '0' || attributeOf(attributes, 'showZeros') === 'false'
    else if (name === 'filterColumn') isFiltered = true
    else if (name === 'col' && (isOn(attributeOf(attributes, 'hidden')) || Number(attributeOf(attributes, 'width') ?? 1) === 0))
      hiddenColumns.push([Number(attributeOf(attributes, 'min')) - 1, Number(attributeOf(attributes, 'max')) - 1])
  }
  const scan = scanXml({
    open: (name, attributes) => {
      if (cell) openPart(name)
      else if (name === 'c' && row) openCell(attributes)
      else if (name === 'row') openRow(attributes)
      else if (!row) openAround(name, attributes)
    },
    text: text => {
      if (!cell) return
      if (part === 'value') cell.value += text
      else if (part === 'inline') inline.text(text)
      else if (part === 'formula' && cell.formula.length < 200) cell.formula += text
    },
    close: name => {
      if (name === 'c') closeCell()
      else if (name === 'row' && row) {
        onRow(row)
        row = undefined
      } else if (!cell) return
      else if (name === 'v') {
        part = undefined
        if (cell.type === 'str') cell.value = decodeExcel(cell.value)
      } else if (name === 'f') part = undefined
      else if (name === 'is') {
        part = undefined
        cell.value = inline.take()
      } else if (part === 'inline') inline.close(name)
    },
  })
  return {
    push: scan.push,
    end: () => {
      scan.end()
      return { hiddenColumns, isFiltered }
    },
  }
}
