import type { Label } from '#contract/kernel/label.ts'
import { referenceImports } from '#contract/reference/import-kinds.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import {
  flagOf,
  type HeaderSpec,
  type ImportDefinition,
  openSheet,
  type RowReader,
  requiredReason,
  sameAsReason,
  short,
  sortOf,
  templateBook,
} from '#modules/transfer/index.ts'
import { type DictSheetRow, dictSheetFacts, writeDicts } from '../commands/import-dicts.ts'
import { type DictPlaceProblem, dictSheetLabels, placeDictRows } from '../domain/dict-sheet.ts'

type Column = keyof typeof dictSheetLabels
type Reader = RowReader<Column>

const kinds = { dict: referenceImports.dict, dict_biz: referenceImports.dictbiz } as const

const required: ReadonlySet<string> = new Set<Column>(['code', 'dictValue'])
const spec = (key: Column): HeaderSpec => ({
  header: dictSheetLabels[key].zh,
  english: dictSheetLabels[key].en,
  required: required.has(key),
})
const columns: Readonly<Record<Column, HeaderSpec>> = {
  code: spec('code'),
  dictKey: spec('dictKey'),
  dictValue: spec('dictValue'),
  dictValueEn: spec('dictValueEn'),
  sort: { ...spec('sort'), kind: 'number' },
  isSealed: spec('isSealed'),
  remark: { ...spec('remark'), lines: true },
}

const readRow = (reader: Reader): DictSheetRow => {
  const code = reader.code('code')
  if (code === '') reader.fail('code', 'required', requiredReason('字典编号'))
  else if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(code))
    reader.fail('code', 'code', {
      zh: '以字母开头，只用字母、数字、“_”和“-”，至多 60 位',
      en: 'Begins with a letter; letters, digits, _ and -, at most 60',
    })
  // Without a key it is the dictionary itself, which exports write as -1.
  const dictKey = reader.code('dictKey') || '-1'
  if (dictKey !== '-1' && /^-\d/.test(dictKey))
    reader.fail('dictKey', 'negative', { zh: '字典键值不能为负数', en: 'The key cannot be negative' })
  if ([...dictKey].length > 60) reader.fail('dictKey', 'too-long', { zh: '超过 60 个字', en: 'Longer than 60 characters' })
  const dictValue = short(reader, 'dictValue', 120)
  if (dictValue === '') reader.fail('dictValue', 'required', requiredReason('字典名称'))
  return {
    code,
    dictKey,
    dictValue,
    dictValueEn: short(reader, 'dictValueEn', 160),
    sort: sortOf(reader, 'sort'),
    isSealed: flagOf(reader, 'isSealed'),
    remark: short(reader, 'remark', 255),
  }
}

const failPlace = (reader: Reader, problem: DictPlaceProblem): void => {
  if (problem.code === 'duplicate') reader.fail('dictKey', problem.code, sameAsReason(problem.first))
  else if (problem.code === 'parent-wrong')
    reader.fail('code', problem.code, {
      zh: `所属字典在第 ${problem.parentRow} 行，该行有错误`,
      en: `Its dictionary stands in row ${problem.parentRow}, which is wrong`,
    })
  else
    reader.fail('code', problem.code, {
      zh: '没有这个编号的字典，也不在文件中',
      en: 'There is no dictionary of this code, here or in the file',
    })
}

const emptyBook = (label: Label, { say }: Pick<Ctx, 'say'>): SheetBook => {
  const yesNo = [say({ zh: '是', en: 'yes' }), say({ zh: '否', en: 'no' })]
  return templateBook(say, label, columns, {
    code: {
      note: {
        zh: '字典项填所属字典的编号；字典可以是本文件中的另一行，先后不限',
        en: 'An entry has the code of its dictionary, which may be another row, before or after',
      },
      sample: 'blood_type',
    },
    dictKey: {
      note: {
        zh: '字典本身留空或填 -1；同一字典内唯一，已有的将被修改',
        en: 'Empty or -1 for the dictionary itself; unique in a dictionary, one that is there is changed',
      },
      sample: '1',
    },
    dictValue: { note: { zh: '至多 120 个字', en: 'At most 120 characters' }, sample: 'A 型' },
    dictValueEn: { note: { zh: '留空则不变', en: 'Empty: as it is' }, sample: 'Type A' },
    sort: {
      note: { zh: '0 至 9999；留空：新的排在最后，已有的不变', en: '0 to 9999; empty: behind the others, or as it is' },
      sample: '1',
    },
    isSealed: {
      note: { zh: '封存后不再供选择；留空：新的为否，已有的不变', en: 'Sealed ones are offered no more; empty: no, or as it is' },
      sample: yesNo[1] ?? '',
      choices: yesNo,
    },
    remark: { note: { zh: '留空则不变', en: 'Empty: as it is' }, sample: '' },
  })
}

/** T0b, T0s: dictionaries with their entries, known by code and key; none is removed by an import. */
export const dictImport = (table: 'dict' | 'dict_biz'): ImportDefinition<DictSheetRow> => {
  const kind = kinds[table]
  return {
    ...kind,
    columns,
    ...(table === 'dict' ? { aboveTenants: 'system dictionaries belong to the platform' } : {}),
    check: async (db, sheet) => {
      const opened = openSheet(columns, sheet.header)
      const rows = opened.readers(sheet.rows).map(reader => ({ reader, row: reader.row, value: readRow(reader) }))
      const bad = new Set(
        rows.flatMap(({ reader }) => ((Object.keys(columns) as Column[]).some(key => reader.failed(key)) ? [reader.row] : [])),
      )
      const problems = placeDictRows(
        rows.map(({ row, value }) => ({ row, code: value.code, dictKey: value.dictKey })),
        await dictSheetFacts(db, table),
        row => bad.has(row),
      )
      for (const { reader } of rows) {
        const problem = problems.get(reader.row)
        if (problem) failPlace(reader, problem)
      }
      return opened.checked(rows)
    },
    write: (db, rows, { job, progress }) =>
      writeDicts(
        db,
        table,
        rows.map(({ value }) => value),
        { importId: job.id, userId: job.createdBy, progress },
      ),
    template: async (_, { ctx }) => emptyBook(kind.label, ctx),
  }
}
