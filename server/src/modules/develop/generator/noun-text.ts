import type { Label } from '#contract/kernel/label.ts'
import { snakeCase } from '#kernel/names.ts'
import type { NounFile } from '../domain/model-field.ts'
import { constantOf, sqlName, tableOf } from './names.ts'

/** A field of a noun that is to be written. */
export interface PlannedField {
  readonly name: string
  readonly kind: 'text' | 'int' | 'decimal' | 'flag' | 'date' | 'instant' | 'dict' | 'dictInt' | 'ref'
  readonly label: Label
  /** Code of the dictionary, or the noun that is pointed at. */
  readonly of?: string | undefined
  readonly required?: boolean | undefined
  readonly unique?: boolean | undefined
  readonly immutable?: boolean | undefined
  readonly search?: 'like' | 'eq' | 'range' | undefined
  readonly list?: false | undefined
  readonly form?: false | undefined
  readonly widget?: 'textarea' | 'richtext' | undefined
  /** Of a text: how many characters. Of an integer: the largest. */
  readonly max?: number | undefined
  readonly min?: number | undefined
  /** Of a number that travels as text: before and after the point. */
  readonly digits?: number | undefined
  readonly places?: number | undefined
  readonly default?: number | undefined
}

/** A noun that is to be written: by `npm run new:resource` with two fields to begin with, by the code generator after a table. */
export interface NounPlan {
  readonly context: string
  readonly noun: string
  readonly label: Label
  /** Code of the menu it stands in. */
  readonly under: string
  readonly roles: readonly string[]
  readonly within?: 'examination' | undefined
  readonly order?: string | undefined
  readonly fields: readonly PlannedField[]
  /** Dictionaries that begin with the entries somebody has yet to name. */
  readonly dictionaries?: readonly { readonly code: string; readonly label: Label }[] | undefined
}

const widest = 140

/** A value of JavaScript as source: what was typed stays a text, whatever is in it. */
const literal = (value: string): string => {
  // Between two quotes only what JSON escapes could end the text early.
  const inside = JSON.stringify(value).slice(1, -1)
  return /["'\\]/.test(inside) ? `"${inside}"` : `'${inside}'`
}
const labelLiteral = ({ zh, en }: Label): string => `{ zh: ${literal(zh)}, en: ${literal(en)} }`

const headOf = ({ kind, of = '', max = 255 }: PlannedField): string =>
  kind === 'text' ? `text(${max}, ` : kind === 'ref' || kind === 'dict' || kind === 'dictInt' ? `${kind}(${literal(of)}, ` : `${kind}(`

const fieldLine = (field: PlannedField): string => {
  const { kind } = field
  const isNumber = kind === 'int'
  const options = [
    `label: ${labelLiteral(field.label)}`,
    ...(field.required ? ['required: true'] : []),
    ...(field.unique ? ['unique: true'] : []),
    ...(field.immutable ? ['immutable: true'] : []),
    ...(field.search === undefined ? [] : [`search: '${field.search}'`]),
    ...(field.list === false ? ['list: false'] : []),
    ...(field.form === false ? ['form: false'] : []),
    ...(field.widget === undefined ? [] : [`widget: '${field.widget}'`]),
    ...(isNumber && field.min !== undefined ? [`min: ${field.min}`] : []),
    ...(isNumber && field.max !== undefined ? [`max: ${field.max}`] : []),
    ...(field.digits === undefined ? [] : [`digits: ${field.digits}`]),
    ...(field.places === undefined ? [] : [`places: ${field.places}`]),
    ...(field.default === undefined ? [] : [`default: ${field.default}`]),
  ]
  const line = `    ${field.name}: ${headOf(field)}{ ${options.join(', ')} }),`
  return line.length <= widest
    ? line
    : `    ${field.name}: ${headOf(field)}{\n${options.map(option => `      ${option},`).join('\n')}\n    }),`
}

/** `contract/src/<context>/<noun>.resource.ts`. */
const declarationText = (plan: NounPlan): string => {
  const { noun, context, within, fields, dictionaries = [] } = plan
  const name = constantOf(noun)
  const helpers = [...new Set(fields.map(({ kind }) => kind))].sort()
  const stubs = dictionaries.map(
    ({ code, label }) =>
      `    { code: ${literal(code)}, label: ${labelLiteral(label)}, entries: [{ key: '1', label: { zh: '待定', en: 'To be named' } }] },`,
  )
  return `import { ${helpers.join(', ')} } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

export const ${name} = defineResource({
  name: '${noun}',
  basePath: '${basePathOf(noun)}',
  menuPath: '/${context}/${name}',
  label: ${labelLiteral(plan.label)},
  menu: { under: ${literal(plan.under)}, roles: [${plan.roles.map(literal).join(', ')}] },
${within === undefined ? '' : `  within: '${within}',\n`}${plan.order === undefined ? '' : `  order: '${plan.order}',\n`}${stubs.length === 0 ? '' : `  dictionaries: [\n${stubs.join('\n')}\n  ],\n`}  fields: {
${fields.map(fieldLine).join('\n')}
  },
})
`
}
export const basePathOf = (noun: string): string => `/blade-${constantOf(noun)}/${noun.replaceAll('-', '')}`

const columnType = ({ kind, max = 255, digits = 12, places = 4 }: PlannedField): string => {
  switch (kind) {
    case 'text':
      return `varchar(${max})`
    case 'int':
    case 'dictInt':
      return 'int'
    case 'decimal':
      return `numeric(${digits + places}, ${places})`
    case 'flag':
      return 'boolean'
    case 'date':
      return 'date'
    case 'instant':
      return 'timestamptz'
    case 'dict':
      return 'varchar(60)'
    default:
      return 'bigint'
  }
}

/** `server/migrations/NNNN_<noun>.sql`: only names and numbers are in it, nothing that somebody wrote. */
const migrationText = ({ noun, within, fields }: NounPlan): string => {
  const table = tableOf(noun)
  const refs = fields.filter(({ kind }) => kind === 'ref')
  const uniques = fields.filter(({ unique }) => unique)
  const column = ({ name }: PlannedField): string => sqlName(snakeCase(name))
  const line = (field: PlannedField): string =>
    `  ${column(field)} ${columnType(field)}${field.required || field.default !== undefined ? ' not null' : ''}${field.default === undefined ? '' : ` default ${field.default}`},`
  return `-- Table of the noun ${noun}.
-- lock: none (new table); compatible: yes

create table ${table} (
  tenant_id varchar(12) not null references tenant,
  id bigint not null default next_id(),
${fields.map(line).join('\n')}
  is_deleted boolean not null default false,
  created_by bigint, created_at timestamptz not null default app_now(),
  updated_by bigint, updated_at timestamptz not null default app_now(),
  version int not null default 0,
  primary key (tenant_id, id)${refs.map(field => `,\n  foreign key (tenant_id, ${column(field)}) references ${tableOf(field.of ?? '')} (tenant_id, id)`).join('')}
);
${refs.map((field, at) => `create index ${indexOf(table, field, at)} on ${table} (tenant_id, ${column(field)});\n`).join('')}${uniques.map((field, at) => `create unique index ${table}_uq${at + 1} on ${table} (tenant_id, ${column(field)}) where not is_deleted;\n`).join('')}select secure_table('${table}');
${within === undefined ? '' : `select narrow_with_exam('${table}');\n`}
-- verify: select 1 / (select count(*) from pg_class where relname = '${table}' and relforcerowsecurity)
`
}
const indexOf = (table: string, { name }: PlannedField, at: number): string =>
  name === 'examId' ? `${table}_exam_ix` : `${table}_ref${at + 1}_ix`

/** The two files that a noun is made of. @param no - number of its migration */
export const nounFiles = (plan: NounPlan, no: number): readonly NounFile[] => [
  { path: `contract/src/${plan.context}/${plan.noun}.resource.ts`, text: declarationText(plan) },
  { path: `server/migrations/${String(no).padStart(4, '0')}_${tableOf(plan.noun)}.sql`, text: migrationText(plan) },
]
/** The next round number after the newest migration. */
export const nextMigration = (last: number): number => last + 10 - (last % 10)

const sampleOf = ({ kind, max = 255, min = 0, places = 4, name }: PlannedField, no: number): string | number => {
  switch (kind) {
    case 'text':
      return `${name}${no}`.slice(-Math.min(max, 20))
    case 'int':
      return Math.min(Math.max(min, 0) + no, max)
    case 'decimal':
      // As the column answers it.
      return no.toFixed(places)
    case 'flag':
      return no % 2
    case 'date':
      return `2026-03-0${no}`
    case 'instant':
      return `2026-03-0${no} 09:00:00`
    case 'dictInt':
      return 1
    default:
      return '1'
  }
}

/** `server/test/flows/<context>/<noun>.test.ts`: it is added, listed, changed and removed, and another tenant sees nothing of it. */
export const flowTestFile = (plan: NounPlan, parents: readonly NounPlan[] = []): NounFile => {
  const { noun, context, roles } = plan
  // Entries of a dictionary are the tenant's, and a reference needs a row: both are filled where the test knows them.
  const known = new Map(parents.map(parent => [parent.noun, parent]))
  const form = plan.fields.filter(
    field => field.form !== false && (field.kind !== 'ref' || (known.has(field.of ?? '') && field.of !== noun)),
  )
  const isOwnDict = ({ of }: PlannedField): boolean => (plan.dictionaries ?? []).some(({ code }) => code === of)
  const plainOf = (fields: readonly PlannedField[], no: number): string =>
    fields
      .filter(field => field.kind !== 'ref' && ((field.kind !== 'dict' && field.kind !== 'dictInt') || isOwnDict(field)))
      .map(field => `    ${field.name}: ${JSON.stringify(sampleOf(field, no)).replace(/^"([^"\\']*)"$/, "'$1'")},`)
      .join('\n')
  const refs = form.filter(({ kind }) => kind === 'ref')
  const setUp = refs.map(({ name, of = '' }) => {
    const parent = known.get(of)
    const fields = parent === undefined ? [] : parent.fields.filter(field => field.form !== false && field.kind !== 'ref')
    return `  const ${name} = String((await staff.post('${basePathOf(of)}/submit', { json: {\n${plainOf(fields, 1)}\n  } })).body.data.id)\n`
  })
  const body = (no: number): string => `${plainOf(form, no)}${refs.map(({ name }) => `\n    ${name},`).join('')}`
  return {
    path: `server/test/flows/${context}/${noun}.test.ts`,
    text: `import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

test('${noun} is added, listed, changed and removed, and another tenant sees nothing of it', async () => {
  const base = '${basePathOf(noun)}'
  const staff = await (await t.tenant()).staff('${roles[0] ?? 'admin'}')
  const stranger = await (await t.tenant()).staff('${roles[0] ?? 'admin'}')
${setUp.join('')}  const first = {
${body(1)}
  }
  const second = {
${body(2)}
  }
  const { id } = (await staff.post(\`\${base}/submit\`, { json: first })).body.data
  expect((await staff.get(\`\${base}/detail\`, { query: { id } })).body.data).toMatchObject({ id, ...first, version: 0 })
  expect((await staff.get(\`\${base}/list\`)).body.data).toMatchObject({ total: 1, records: [{ id, ...first }] })
  expect((await stranger.get(\`\${base}/list\`)).body.data).toMatchObject({ total: 0, records: [] })
  expect((await stranger.post(\`\${base}/submit\`, { json: { id, ...second } })).status).toBe(404)
  expect((await staff.post(\`\${base}/submit\`, { json: { id, ...second } })).status).toBe(200)
  expect((await staff.get(\`\${base}/detail\`, { query: { id } })).body.data).toMatchObject({ id, ...second, version: 1 })
  expect((await stranger.post(\`\${base}/remove\`, { query: { ids: id } })).status).toBe(404)
  expect((await staff.post(\`\${base}/remove\`, { query: { ids: id } })).body.data).toEqual({ removed: 1 })
  expect((await staff.get(\`\${base}/list\`)).body.data).toMatchObject({ total: 0, records: [] })
})
`,
  }
}
