import type { Label } from '#contract/kernel/label.ts'

/** Columns of the workbook, in order; export, template and import have the same. */
export const dictSheetLabels = {
  code: { zh: '字典编号', en: 'Code' },
  dictKey: { zh: '字典键值', en: 'Key' },
  dictValue: { zh: '字典名称', en: 'Name' },
  dictValueEn: { zh: '英文名称', en: 'English name' },
  sort: { zh: '排序', en: 'Order' },
  isSealed: { zh: '封存', en: 'Sealed' },
  remark: { zh: '备注', en: 'Remark' },
} satisfies Readonly<Record<string, Label>>

/** The key of the row that is a dictionary and not an entry of one. */
const ownKey = '-1'

/** One row of a workbook as far as its place goes. */
export interface DictPlaceRow {
  readonly row: number
  readonly code: string
  readonly dictKey: string
}
export type DictPlaceProblem =
  | { readonly code: 'duplicate'; readonly first: number }
  | { readonly code: 'parent-missing' }
  | { readonly code: 'parent-wrong'; readonly parentRow: number }

/**
 * What is wrong with the places of rows: an entry stands below the dictionary of its code, which is there or another row, before or after.
 *
 * @param known - codes of the dictionaries that are there
 * @param isBad - whether a row is refused for something else: what stands below it cannot be written either
 */
export const placeDictRows = (
  rows: readonly DictPlaceRow[],
  known: ReadonlySet<string>,
  isBad: (row: number) => boolean,
): ReadonlyMap<number, DictPlaceProblem> => {
  const first = new Map<string, number>()
  const problems = new Map<number, DictPlaceProblem>()
  const placeOf = (row: DictPlaceRow): string => `${row.code}\n${row.dictKey}`
  for (const row of rows) {
    const earlier = first.get(placeOf(row))
    if (earlier === undefined) first.set(placeOf(row), row.row)
    else problems.set(row.row, { code: 'duplicate', first: earlier })
  }
  for (const row of rows) {
    if (row.dictKey === ownKey || known.has(row.code) || problems.has(row.row)) continue
    const parentRow = first.get(placeOf({ ...row, dictKey: ownKey }))
    if (parentRow === undefined) problems.set(row.row, { code: 'parent-missing' })
    else if (isBad(parentRow)) problems.set(row.row, { code: 'parent-wrong', parentRow })
  }
  return problems
}
