import type { Label } from '#contract/kernel/label.ts'
import { referenceImports } from '#contract/reference/import-kinds.ts'
import { regionLevelOf } from '#contract/reference/region.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import { inTurns } from '#kernel/turns.ts'
import {
  failRepeated,
  type HeaderSpec,
  type ImportDefinition,
  openSheet,
  type RowReader,
  requiredReason,
  short,
  sortOf,
  templateBook,
} from '#modules/transfer/index.ts'
import { regionSheetFacts, regionSheetLabels, writeRegions } from '../commands/import-regions.ts'
import type { RegionValues } from '../data/region.repo.ts'
import { placeRegions, type RegionPlaceProblem } from '../domain/region-place.ts'

type Column = keyof typeof regionSheetLabels
type Reader = RowReader<Column>

/** `00` is what lists call the place above the provinces. */
const rootCode = '00'

/** Headers of template T0r. */
const spec = (key: Column, required = false): HeaderSpec => ({
  header: regionSheetLabels[key].zh,
  english: regionSheetLabels[key].en,
  required,
})
const columns: Readonly<Record<Column, HeaderSpec>> = {
  code: spec('code', true),
  parent: spec('parent'),
  name: spec('name', true),
  sort: { ...spec('sort'), kind: 'number' },
  remark: { ...spec('remark'), lines: true },
}

interface ReadRow {
  readonly row: number
  readonly value: RegionValues
  readonly isBad: boolean
  /** What the cell of the parent says. */
  readonly parentText: string
}
const readRow = (reader: Reader): ReadRow => {
  const code = reader.code('code')
  const level = regionLevelOf(code)
  if (code === '') reader.fail('code', 'required', requiredReason('区划编号'))
  else if (level === null)
    reader.fail('code', 'code', {
      zh: '省市县为 6 位数字，乡级 9 位，村级 12 位',
      en: '6 digits to counties, 9 for towns, 12 for villages',
    })
  const parentText = reader.code('parent')
  const name = short(reader, 'name', 60)
  if (name === '') reader.fail('name', 'required', requiredReason('区划名称'))
  const value = {
    code,
    parentCode: parentText || rootCode,
    name,
    regionLevel: level ?? 0,
    sort: sortOf(reader, 'sort') ?? 0,
    remark: short(reader, 'remark', 255),
  }
  const isBad = (['code', 'name', 'sort', 'remark'] as const).some(key => reader.failed(key))
  return { row: reader.row, value, isBad, parentText: parentText === rootCode ? '' : parentText }
}

const placeReason = (problem: RegionPlaceProblem, { value: { code }, parentText }: ReadRow): Label => {
  if (problem.code === 'parent-wrong')
    return { zh: `上级区划在第 ${problem.parentRow} 行，该行有错误`, en: `The parent stands in row ${problem.parentRow}, which is wrong` }
  if (problem.code === 'no-parent') return { zh: '省级没有上级编号', en: 'A province has no parent' }
  if (problem.code === 'not-below')
    return { zh: `${code} 不能在 ${parentText || '（空）'} 之下`, en: `${code} cannot stand below ${parentText || '(empty)'}` }
  return { zh: '上级区划不存在，也不在文件中', en: 'There is no such parent, here or in the file' }
}

const emptyBook = (ctx: Pick<Ctx, 'say'>): SheetBook =>
  templateBook(ctx.say, referenceImports.regions.label, columns, {
    code: {
      note: {
        zh: '以上级编号开头；省市县 6 位，乡级 9 位，村级 12 位数字，单元格须为文本格式',
        en: 'Begins like the one above; 6 digits to counties, 9 for towns, 12 for villages; the cell must be text',
      },
      sample: '330106001',
    },
    parent: {
      note: {
        zh: '省级留空。上级可以是本文件中的另一行，先后不限',
        en: 'Empty for provinces. The parent may be another row, before or after',
      },
      sample: '330106',
    },
    name: { note: { zh: '不含上级的名称，至多 60 个字', en: 'Without the names above, at most 60 characters' }, sample: '北山街道' },
    sort: { note: { zh: '0 至 9999；留空为 0', en: '0 to 9999; empty is 0' }, sample: '1' },
    remark: { note: { zh: '至多 255 个字', en: 'At most 255 characters' }, sample: '' },
  })

/** T0r: regions of the whole installation, named by their codes; none is removed by an import. */
export const regionImport: ImportDefinition<RegionValues> = {
  ...referenceImports.regions,
  columns,
  aboveTenants: 'regions belong to the whole installation',
  check: async (db, sheet) => {
    const opened = openSheet(columns, sheet.header)
    const first = new Map<string, number>()
    const rows: ReadRow[] = []
    await inTurns(sheet.rows, (cells, at) => {
      const reader = opened.reader(cells, at + 2)
      if (!reader) return
      const read = readRow(reader)
      const { code } = read.value
      const isRepeated = code !== '' && failRepeated(reader, 'code', code, first)
      rows.push(isRepeated ? { ...read, isBad: true } : read)
    })
    const known = await regionSheetFacts(db, [...new Set(rows.map(({ parentText }) => parentText))])
    const problems = placeRegions(
      rows.map(({ row, value, parentText, isBad }) => ({ row, code: value.code, parentCode: parentText, isBad })),
      known,
    )
    for (const read of rows) {
      const problem = problems.get(read.row)
      if (problem) opened.fail(read.row, 'parent', problem.code, placeReason(problem, read), read.parentText)
    }
    return opened.checked(rows)
  },
  write: (db, rows, { job, options, progress }) =>
    writeRegions(
      db,
      rows.map(({ value }) => value),
      { userId: job.createdBy, isCovered: options['isCovered'] === 1, progress },
    ),
  template: async (_, { ctx }) => emptyBook(ctx),
}
