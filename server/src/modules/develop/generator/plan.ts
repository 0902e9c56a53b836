import type { Label } from '#contract/kernel/label.ts'
import { refNameOf } from '#contract/kernel/resource.ts'
import type { ModelField, NounFile } from '../domain/model-field.ts'
import { type ColumnKind, kindOf, type LeftOut, leftOutReasons } from './column-type.ts'
import { isCounter, keyCount } from './fresh-fields.ts'
import { constantOf, englishOf, isAuditColumn, labelText } from './names.ts'
import { flowTestFile, type NounPlan, nextMigration, nounFiles, type PlannedField } from './noun-text.ts'

/** A table that a noun is made of, with what a person chose for it. */
export interface TableChoice {
  readonly table: string
  readonly noun: string
  readonly label: Label
  readonly fields: readonly ModelField[]
}
export interface CodeChoice {
  readonly context: string
  readonly under: string
  readonly roles: readonly string[]
  readonly main: TableChoice
  /** Of a table with a child: the child, and its column that points at the main table. */
  readonly child?: { readonly of: TableChoice; readonly column: string } | undefined
  /** Of a tree: the column that points at the row above, and the one that names a row. */
  readonly tree?: { readonly parent: string; readonly name: string } | undefined
}

/** What somebody should know of what was made, for the zip's README. `name` is a name of a database and goes between marks. */
interface Remark {
  readonly name: string
  readonly text: Label
}
interface Planned {
  readonly plan: NounPlan
  readonly remarks: readonly Remark[]
}

const rangeWords = new Set(['between', 'gt', 'ge', 'lt', 'le'])
const searchOf = (field: ModelField, kind: PlannedField['kind']): PlannedField['search'] => {
  if (!field.isQuery) return undefined
  if (kind === 'decimal' || kind === 'date' || kind === 'instant') return 'range'
  if (kind === 'int') return rangeWords.has(field.queryType) ? 'range' : 'eq'
  return kind === 'text' && field.queryType.startsWith('like') ? 'like' : 'eq'
}

const shapeOf = (
  field: ModelField,
  kind: Exclude<ColumnKind, { kind: 'left-out' }>,
): Pick<PlannedField, 'kind' | 'of' | 'max' | 'min' | 'digits' | 'places' | 'widget'> => {
  if (field.dictCode !== '' && kind.kind !== 'date' && kind.kind !== 'instant')
    return { kind: kind.kind === 'int' ? 'dictInt' : 'dict', of: field.dictCode }
  switch (kind.kind) {
    case 'text': {
      const widget =
        field.componentType === 'editor' ? ('richtext' as const) : field.componentType === 'textarea' ? ('textarea' as const) : undefined
      return { kind: 'text', max: kind.max, widget }
    }
    case 'int':
      if (field.componentType === 'switch') return { kind: 'flag' }
      // Whole numbers of 32 bits are what is taken where nothing is said.
      return kind.max === 2 ** 31 - 1 ? { kind: 'int' } : { kind: 'int', min: kind.min, max: kind.max }
    case 'decimal':
      return { kind: 'decimal', digits: kind.digits, places: kind.places }
    default:
      return { kind: kind.kind }
  }
}

const labelOf = (field: ModelField): Label => ({
  zh: labelText(field.jdbcComment) || labelText(field.jdbcName) || field.propertyName,
  en: englishOf(field.propertyName),
})

const plannedOf = (field: ModelField): PlannedField | undefined => {
  const kind = kindOf(field.jdbcType)
  if (field.leftOut !== '' || kind.kind === 'left-out' || (!field.isForm && !field.isList)) return undefined
  const shape = shapeOf(field, kind)
  const isRequired = field.isRequired && field.isForm
  return {
    name: field.propertyName,
    ...shape,
    label: labelOf(field),
    required: isRequired || undefined,
    unique: (field.isUnique && field.isForm && (shape.kind === 'text' || shape.kind === 'int' || shape.kind === 'decimal')) || undefined,
    search: searchOf(field, shape.kind),
    list: field.isList ? undefined : false,
    form: field.isForm ? undefined : false,
  }
}

const says = (name: string, zh: string, en: string): Remark => ({ name, text: { zh, en } })

const remarksOn = (field: ModelField, keys: number): readonly Remark[] => {
  const { jdbcName: name, leftOut } = field
  if (isAuditColumn(name)) return []
  if (isCounter(field, keys)) return [says(name, '主键，改用系统自己的编号', 'the key: rows get a number of this system instead')]
  if (leftOut !== '') {
    const why = leftOutReasons[leftOut as LeftOut]
    return [says(name, `未生成：${why.zh}`, `left out: ${why.en}`)]
  }
  if (!field.isForm && !field.isList) return [says(name, '未生成：列表和表单均未选用', 'left out: neither in the list nor in the form')]
  const kind = kindOf(field.jdbcType)
  return [
    ...(field.isForeign ? [says(name, '外键约束未生成，只保留取值', 'its foreign key is left out, its value stays')] : []),
    ...(field.isKey && keys > 1 ? [says(name, '联合主键未生成', 'the key of several columns is left out')] : []),
    ...(/^(real|float|double)/.test(field.jdbcType)
      ? [says(name, '浮点数改为定点小数', 'a floating-point number became one with fixed decimals')]
      : []),
    ...(kind.kind === 'text' && /text|varying$|varchar$/.test(field.jdbcType)
      ? [says(name, `长度上限为 ${kind.max} 个字符`, `at most ${kind.max} characters are taken`)]
      : []),
  ]
}

const dictionariesOf = (fields: readonly ModelField[], unknown: readonly string[]): NounPlan['dictionaries'] =>
  [
    ...new Map(
      fields.filter(({ dictCode, leftOut }) => leftOut === '' && unknown.includes(dictCode)).map(field => [field.dictCode, labelOf(field)]),
    ),
  ].map(([code, label]) => ({ code, label }))

/** Name of a reference beside these fields: neither it nor the name of the row it points at may be there already. */
const refName = (fields: readonly PlannedField[], ...wanted: readonly string[]): string => {
  const isFree = (name: string): boolean => !fields.some(field => field.name === name || field.name === refNameOf(name))
  const found = wanted.find(isFree)
  if (found !== undefined) return found
  for (let no = 1; ; no++) if (isFree(`above${no}Id`)) return `above${no}Id`
}

const planOf = (
  choice: CodeChoice,
  { table, noun, label, fields }: TableChoice,
  unknownDictionaries: readonly string[],
  ref: { readonly column: string; readonly to: string; readonly label: Label; readonly isTree: boolean } | undefined,
): Planned => {
  const keys = keyCount(fields)
  const kept = fields.filter(field => field.jdbcName !== ref?.column)
  const planned = kept.map(plannedOf).filter(field => field !== undefined)
  const own = choice.tree === undefined || !ref?.isTree ? undefined : kept.find(field => field.jdbcName === choice.tree?.name)?.propertyName
  // A row of a tree is called by the column that was chosen for it.
  const ordered =
    own === undefined ? planned : [...planned.filter(({ name }) => name === own), ...planned.filter(({ name }) => name !== own)]
  const pointing: readonly PlannedField[] =
    ref === undefined
      ? []
      : [
          {
            name: ref.isTree ? refName(planned, 'parentId', 'upperId') : refName(planned, `${constantOf(ref.to)}Id`, 'parentId'),
            kind: 'ref',
            of: ref.to,
            label: ref.label,
            ...(ref.isTree ? {} : { required: true as const }),
            search: 'eq',
          },
        ]
  return {
    plan: {
      context: choice.context,
      noun,
      label,
      under: choice.under,
      roles: choice.roles,
      fields: [...pointing, ...ordered],
      dictionaries: dictionariesOf(kept, unknownDictionaries),
    },
    remarks: [
      says(table, `→ ${noun}`, `→ ${noun}`),
      ...kept.flatMap(field => remarksOn(field, keys)),
      ...(ref?.isTree
        ? [
            says(
              ref.column,
              '不检查上下级是否成环，需要时请补充规则',
              'nothing keeps rows from standing above themselves: add a rule where that matters',
            ),
          ]
        : []),
    ],
  }
}

const readme = (planned: readonly Planned[], files: readonly NounFile[]): string => {
  // Whatever a name holds, it ends neither its line nor its marks.
  const mark = (name: string): string => `\`${labelText(name, 130).replaceAll('`', "'")}\``
  const list = (language: 'zh' | 'en'): string =>
    planned
      .map(({ remarks }) => remarks.map(({ name, text }, at) => `${at === 0 ? '\n###' : '-'} ${mark(name)} ${text[language]}`).join('\n'))
      .join('\n')
  const stubs = planned.flatMap(({ plan }) => plan.dictionaries ?? []).map(({ code }) => code)
  return `# 生成的代码 / Generated code

${files.map(({ path }) => `- \`${path}\``).join('\n')}

## 使用

1. 解压到源代码根目录。
2. 运行 \`npm run nouns\`，再运行 \`npm run docs\`。
3. 检查声明和建表语句，启动后不能再修改已执行的迁移。
4. 运行 \`npm test\`。
${stubs.length === 0 ? '' : `5. 补全字典条目（目前只有“待定”）：${stubs.map(mark).join('、')}\n`}
## 未生成与变化
${list('zh')}
- 默认值、检查约束和其他索引均未生成；原表中的数据不在其中。

## Use

1. Unpack at the root of the source tree.
2. Run \`npm run nouns\`, then \`npm run docs\`.
3. Read the declaration and the table; a migration that was applied is not changed any more.
4. Run \`npm test\`.
${stubs.length === 0 ? '' : `5. Name the entries of the dictionaries, which have one to begin with: ${stubs.map(mark).join(', ')}\n`}
## Left out and changed
${list('en')}
- Default values, checks and other indexes are left out; the rows of the table are not in it.
`
}

/** All files of some configurations, as they stand in the zip. @param last - number of the newest migration */
export const filesOf = (choices: readonly CodeChoice[], last: number, unknownDictionaries: readonly string[]): readonly NounFile[] => {
  const planned: Planned[] = []
  const tests: NounFile[] = []
  for (const choice of choices) {
    const { main, child, tree } = choice
    const up: Label = { zh: '上级', en: 'Above' }
    const first = planOf(
      choice,
      main,
      unknownDictionaries,
      tree === undefined ? undefined : { column: tree.parent, to: main.noun, label: up, isTree: true },
    )
    planned.push(first)
    tests.push(flowTestFile(first.plan))
    if (child === undefined) continue
    const second = planOf(choice, child.of, unknownDictionaries, { column: child.column, to: main.noun, label: main.label, isTree: false })
    planned.push(second)
    tests.push(flowTestFile(second.plan, [first.plan]))
  }
  const files = [...planned.flatMap(({ plan }, at) => nounFiles(plan, nextMigration(last) + at)), ...tests]
  return [...files, { path: 'README-generated.md', text: readme(planned, files) }]
}
