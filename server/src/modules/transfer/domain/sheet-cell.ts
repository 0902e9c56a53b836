import type { Label } from '#contract/kernel/label.ts'
import { unsolvedFormula } from '#contract/kernel/unsolved-formula.ts'

/** Why a cell has no value, and why it is not known what is shown of one, as the reader of sheets tells. */
type CellFault = 'formula' | 'error' | 'rich' | 'merged'
type Unshown = 'scientific' | 'format' | 'nothing'

/** A cell that is more than its text. */
export interface SpecialCell {
  /** What a spreadsheet shows, as far as that is known; else what is stored. */
  readonly shown: string
  /** Why it is not known what is shown. */
  readonly unshown?: Unshown | undefined
  /** There is no value. */
  readonly fault?: CellFault
  /** Of a cell that is merged with another one: the cells that are, `C2:C4`. */
  readonly range?: string
  /** The digits of a number. */
  readonly digits?: string
  /** A date with its time, `2026-03-05 00:00:00`. */
  readonly date?: string
  /** Parts of the date are not shown. */
  readonly isPartial?: boolean
}

/** A cell as imports know it: nearly every one is its text. */
export type ImportCell = string | SpecialCell

/** The words of spreadsheets for what has no value; as text too, as copied values and other programs have them. */
const errorWords =
  /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|EXTERNAL!|PYTHON!|GETTING_DATA)$/i

/** Why a cell has no value; undefined where it has one. */
export const faultOf = (cell: ImportCell): CellFault | undefined => {
  if (typeof cell !== 'string') return cell.fault
  if (!cell.startsWith('#')) return undefined
  if (cell === unsolvedFormula) return 'formula'
  return errorWords.test(cell) ? 'error' : undefined
}

export const shownText = (cell: ImportCell | undefined): string => (typeof cell === 'string' ? cell : (cell?.shown ?? ''))

const isBlank = (cell: ImportCell): boolean => shownText(cell).trim() === ''
export const isEmptyRow = (cells: readonly ImportCell[]): boolean => cells.every(isBlank)

export const faultReason = (name: string, fault: CellFault, cell: ImportCell): Label => {
  const shown = shownText(cell)
  switch (fault) {
    case 'formula':
      return {
        zh: `${name}是公式且文件中没有计算结果，请填写数值，或用表格软件打开并保存后再导入`,
        en: `${name} is a formula without a stored result; type the value, or open and save the file in a spreadsheet program first`,
      }
    case 'error':
      return {
        zh: `${name}是错误值 ${shown}，请改正公式或直接填写内容`,
        en: `${name} holds the error ${shown}; mend the formula or type the value`,
      }
    case 'merged': {
      const range = typeof cell === 'string' ? '' : (cell.range ?? '')
      return {
        zh: `${name}在合并的单元格 ${range} 中，只有左上角一格有内容，请取消合并并逐行填写`,
        en: `${name} is in the merged cells ${range}, of which only the first holds something; undo the merge and fill every row`,
      }
    }
    case 'rich':
      return {
        zh: `${name}不是普通的文字或数值(如单元格中的图片、关联的数据)，请改为直接填写文字`,
        en: `${name} is no plain text or number (a picture in the cell, a linked record); type the value as text`,
      }
  }
}

const unshownReason = (name: string, unshown: Unshown, stored: string): Label => {
  switch (unshown) {
    case 'scientific':
      return {
        zh: `${name}已变成科学计数，请设为文本格式后重新填写`,
        en: `${name} is shown in scientific notation and digits may be lost; format the cell as text and type it again`,
      }
    case 'nothing':
      return {
        zh: `${name}的单元格存有 ${stored}，但按其格式不显示，请改为文本或常规格式后重新填写`,
        en: `${name} holds ${stored}, which its cell format hides; format the cell as text or General and type it again`,
      }
    case 'format':
      return {
        zh: `${name}的单元格存有 ${stored}，其格式显示的内容因软件而异，请设为文本格式后按要填的内容重新填写`,
        en: `${name} holds ${stored} in a format that programs show differently; format the cell as text and type what is meant`,
      }
  }
}

interface Problem {
  readonly code: string
  readonly reason: Label
}
/** What a cell says to a column, or why nothing. */
export type CellReading = { readonly text: string } | Problem

const unshownProblem = (name: string, unshown: Unshown, stored: string): Problem => ({
  code: unshown === 'scientific' ? 'scientific' : 'cell-format',
  reason: unshownReason(name, unshown, stored),
})

/** Texts and codes are what is shown: `0007` and not 7. */
export const readAsText = (name: string, cell: ImportCell): CellReading => {
  if (typeof cell === 'string') return { text: cell }
  return cell.unshown ? unshownProblem(name, cell.unshown, cell.date ?? cell.digits ?? cell.shown) : { text: cell.shown }
}

const amountShown = (shown: string): number => Number(shown.replace(/[,\s¥￥$€£]/g, '') || Number.NaN)

/** Numbers are what is stored, where the format shows nothing else: 78.6 shown as 79 is one of the two, and nobody can tell which. */
export const readAsNumber = (name: string, cell: ImportCell): CellReading => {
  if (typeof cell === 'string' || cell.digits === undefined) return readAsText(name, cell)
  const { digits, shown, unshown } = cell
  if (unshown === 'scientific' && !digits.includes('e')) return { text: digits }
  if (unshown) return unshownProblem(name, unshown, digits)
  if (amountShown(shown) === Number(digits)) return { text: digits }
  return {
    code: 'shown-differs',
    reason: {
      zh: `${name}的单元格显示 ${shown}，存的是 ${digits}，请设为常规格式后重新填写`,
      en: `The cell of ${name} shows ${shown} and holds ${digits}; format it as General and type it again`,
    },
  }
}
