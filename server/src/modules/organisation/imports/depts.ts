import { organisationImports } from '#contract/organisation/import-kinds.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import {
  type HeaderSpec,
  type ImportDefinition,
  namesIn,
  openSheet,
  type RowReader,
  requiredReason,
  sameAsReason,
  short,
  sortOf,
  templateBook,
} from '#modules/transfer/index.ts'
import { deptSheetLabels } from '../commands/export-depts.ts'
import { type DeptSheetRow, deptSheetFacts, writeDepts } from '../commands/import-depts.ts'
import { deptPath, placeRows } from '../domain/dept-sheet.ts'

type Column = keyof typeof deptSheetLabels
type Reader = RowReader<Column>
type Placed = DeptSheetRow & { readonly levels: number }

const mostRows = 5_000
const required: ReadonlySet<string> = new Set<Column>(['name', 'category'])
/** Headers of template T0d. */
const spec = (key: Column): HeaderSpec => ({
  header: deptSheetLabels[key].zh,
  english: deptSheetLabels[key].en,
  required: required.has(key),
})
const columns: Readonly<Record<Column, HeaderSpec>> = {
  parent: spec('parent'),
  name: spec('name'),
  fullName: spec('fullName'),
  category: spec('category'),
  leaders: { ...spec('leaders'), lines: true },
  sort: { ...spec('sort'), kind: 'number' },
  remark: { ...spec('remark'), lines: true },
}

interface Facts {
  readonly kinds: readonly { readonly key: string; readonly zh: string; readonly en: string }[]
  readonly staff: ReadonlyMap<string, string>
}
const readRow = (reader: Reader, { kinds, staff }: Facts): DeptSheetRow => {
  const name = short(reader, 'name', 60)
  if (name === '') reader.fail('name', 'required', requiredReason('部门名称'))
  if (name.includes('/') || name.includes('／'))
    reader.fail('name', 'slash', {
      zh: '部门名称不能含“/”，上级请填在“上级部门”列',
      en: 'No “/” in a name; what is above stands in its own column',
    })
  const typed = reader.text('category')
  const kind = kinds.find(one => [one.key, one.zh, one.en].includes(typed))
  if (typed === '') reader.fail('category', 'required', requiredReason('部门类型'))
  else if (!kind) reader.fail('category', 'unknown', { zh: `部门类型不存在: ${typed}`, en: `There is no kind ${typed}` })
  const leaderIds = namesIn(reader.text('leaders')).flatMap(account => {
    const id = staff.get(account)
    if (id !== undefined) return [id]
    reader.fail('leaders', 'unknown', { zh: `没有这名工作人员: ${account}`, en: `There is no member of staff ${account}` })
    return []
  })
  const parent = deptPath(reader.text('parent'))
  return {
    path: deptPath(parent, name),
    parent,
    name,
    fullName: short(reader, 'fullName', 120),
    category: Number(kind?.key ?? 0),
    leaderIds,
    sort: sortOf(reader, 'sort'),
    remark: short(reader, 'remark', 255),
  }
}

type Placement = ReturnType<typeof placeRows> extends ReadonlyMap<number, infer R> ? R : never
const failPlace = (reader: Reader, problem: NonNullable<Placement['problem']>): void => {
  const fail = (key: Column, zh: string, en: string) => reader.fail(key, problem.code, { zh, en })
  if (problem.code === 'duplicate') reader.fail('name', problem.code, sameAsReason(problem.first))
  else if (problem.code === 'ambiguous')
    fail('parent', '有两个部门的上级和名称都相同，请先改名', 'Two departments have the same name and parent; rename one first')
  else if (problem.code === 'parent-missing') fail('parent', '上级部门不存在，也不在文件中', 'There is no such parent, here or in the file')
  else if (problem.code === 'parent-wrong')
    fail('parent', `上级部门在第 ${problem.parentRow} 行，该行有错误`, `The parent stands in row ${problem.parentRow}, which is wrong`)
  else fail('parent', '部门最多 10 级', 'Departments have at most 10 levels')
}

const emptyBook = async (db: TenantDb, ctx: Pick<Ctx, 'say'>): Promise<SheetBook> => {
  const kinds = (await readDictionaries(db, ['org_category']))['org_category'] ?? []
  return templateBook(ctx.say, organisationImports.depts.label, columns, {
    parent: {
      note: {
        zh: '从顶级到上级的名称，用“/”分隔；顶级部门留空。上级可以是本文件中的另一行，先后不限',
        en: 'Names from the top down to the parent, divided by “/”; empty for the top level. The parent may be another row, before or after',
      },
      sample: '区卫生健康局/人民医院',
    },
    name: {
      note: { zh: '同一上级下唯一；已有的部门将被修改', en: 'Unique below its parent; a department that is there is changed' },
      sample: '内科',
    },
    fullName: {
      note: { zh: '留空：新部门为部门名称，已有的不变', en: 'Empty: the name; of one that is there, as it is' },
      sample: '人民医院内科',
    },
    category: {
      note: { zh: '部门类型字典', en: 'Of the dictionary of kinds' },
      sample: kinds[0]?.zh ?? '',
      choices: kinds.map(kind => ctx.say(kind)),
    },
    leaders: {
      note: { zh: '工作人员的账号，多个用逗号分隔；留空则不变', en: 'Accounts of staff, divided by commas; empty: as it is' },
      sample: '',
    },
    sort: {
      note: { zh: '0 至 9999；留空：新部门排在最后，已有的不变', en: '0 to 9999; empty: behind the others, or as it is' },
      sample: '1',
    },
    remark: { note: { zh: '留空则不变', en: 'Empty: as it is' }, sample: '' },
  })
}
/** T0d: departments of one's own tenant, named by their paths; none is moved or removed by an import. */
export const deptImport: ImportDefinition<Placed> = {
  ...organisationImports.depts,
  columns,
  maxRows: mostRows,
  check: async (db, sheet) => {
    const opened = openSheet(columns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const { known, staff } = await deptSheetFacts(db)
    const facts: Facts = {
      kinds: (await readDictionaries(db, ['org_category']))['org_category'] ?? [],
      staff: await staff([...new Set(readers.flatMap(reader => namesIn(reader.text('leaders'))))]),
    }
    const rows = readers.map(reader => ({ reader, value: readRow(reader, facts) }))
    const bad = new Set(
      rows.flatMap(({ reader }) => ((Object.keys(columns) as Column[]).some(key => reader.failed(key)) ? [reader.row] : [])),
    )
    const placed = placeRows(
      rows.map(({ reader, value }) => ({ row: reader.row, parent: value.parent, name: value.name })),
      known,
      row => bad.has(row),
    )
    return opened.checked(
      rows.map(({ reader, value }) => {
        const place = placed.get(reader.row)
        if (place?.problem) failPlace(reader, place.problem)
        return { row: reader.row, value: { ...value, levels: place?.levels ?? 1 } }
      }),
    )
  },
  write: (db, rows, { job, progress }) =>
    writeDepts(
      db,
      rows.map(({ value }) => value),
      { importId: job.id, progress },
    ),
  template: (db, { ctx }) => emptyBook(db, ctx),
}
