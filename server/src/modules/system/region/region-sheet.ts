import type { Label } from '#contract/kernel/label.ts'
import { isRegionBelow, regionLevelOf } from '#contract/system/region.ts'
import type { RegionValues } from './region.repo.ts'

/** Columns of the workbook, in order; export, template and import are the same sheet. */
export const regionColumns: readonly { readonly label: Label; readonly required?: true; readonly comment?: Label }[] = [
  {
    label: { zh: '区划编号', en: 'Code' },
    required: true,
    comment: { zh: '省市县 6 位，乡级 9 位，村级 12 位数字', en: '6 digits to counties, 9 for towns, 12 for villages' },
  },
  { label: { zh: '上级编号', en: 'Parent' }, comment: { zh: '省级留空', en: 'Empty for provinces' } },
  { label: { zh: '区划名称', en: 'Name' }, required: true },
  { label: { zh: '排序', en: 'Order' } },
  { label: { zh: '备注', en: 'Remark' } },
]

export interface RowProblem {
  /** As the person counts them in the workbook. */
  readonly row: number
  readonly text: Label
}
export interface SheetText {
  readonly row: number
  readonly cells: readonly string[]
}
export interface SheetVerdict {
  readonly rows: readonly RegionValues[]
  readonly problems: readonly RowProblem[]
}

const nameLength = 60
const remarkLength = 255
const maxSort = 9_999

const problemOf = (
  values: RegionValues & { readonly sortText: string },
  isKnown: (code: string) => boolean,
  isTwice: boolean,
): Label | null => {
  const { code, parentCode, name, remark, sortText } = values
  const level = regionLevelOf(code)
  if (level === null) return { zh: `区划编号“${code}”不是 6、9 或 12 位数字`, en: `the code "${code}" has not 6, 9 or 12 digits` }
  if (isTwice) return { zh: `区划编号 ${code} 在文件中重复`, en: `the code ${code} stands twice in the file` }
  if (name === '' || [...name].length > nameLength)
    return { zh: `区划名称须为 1 至 ${nameLength} 个字`, en: `the name must have 1 to ${nameLength} characters` }
  if ([...remark].length > remarkLength)
    return { zh: `备注不能超过 ${remarkLength} 个字`, en: `the remark has more than ${remarkLength} characters` }
  if (sortText !== '' && !(/^\d+$/.test(sortText) && Number(sortText) <= maxSort))
    return { zh: `排序须为 0 至 ${maxSort} 的整数`, en: `the order must be a whole number from 0 to ${maxSort}` }
  if (level === 1) return parentCode === '' || parentCode === '00' ? null : { zh: '省级没有上级编号', en: 'a province has no parent' }
  if (!isRegionBelow(code, parentCode))
    return { zh: `${code} 不能在 ${parentCode || '（空）'} 之下`, en: `${code} cannot stand below ${parentCode || '(empty)'}` }
  return isKnown(parentCode) ? null : { zh: `上级 ${parentCode} 不存在`, en: `there is no parent ${parentCode}` }
}

/** The rows below the header, which an exported workbook has below its watermark; undefined when there is no such header. */
export const belowHeader = (lines: readonly SheetText[]): readonly SheetText[] | undefined => {
  const [first] = regionColumns
  const at = lines.findIndex(({ cells }) => [first?.label.zh, first?.label.en].includes(cells[0]?.trim()))
  return at === -1 ? undefined : lines.slice(at + 1)
}

/** What the rows of a workbook say, each judged; parents come first. `known` are the codes that are there already. */
export const judgeRegionSheet = (lines: readonly SheetText[], known: ReadonlySet<string>): SheetVerdict => {
  const all = lines.flatMap(({ row, cells }) => {
    const [code = '', parentCode = '', name = '', sortText = '', remark = ''] = cells.map(cell => cell.trim())
    if ([code, parentCode, name, sortText, remark].every(text => text === '')) return []
    return [{ row, code, parentCode, name, sortText, remark, regionLevel: regionLevelOf(code) ?? 0, sort: Number(sortText || 0) }]
  })
  const count = new Map<string, number>()
  for (const { code } of all) count.set(code, (count.get(code) ?? 0) + 1)
  const problems = all.flatMap(values => {
    const text = problemOf(values, code => known.has(code) || count.has(code), (count.get(values.code) ?? 0) > 1)
    return text ? [{ row: values.row, text }] : []
  })
  const rows = all
    .map(({ row: _row, sortText: _sort, ...values }) => ({ ...values, parentCode: values.parentCode || '00' }))
    .sort((a, b) => a.regionLevel - b.regionLevel)
  return { rows, problems }
}
