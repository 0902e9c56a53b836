import type { Label } from '#contract/kernel/label.ts'
import { isOfTenants } from '#contract/kernel/resource.ts'
import { resources } from '#contract/nouns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'
import { groupKey } from './dict.repo.ts'

/** A column whose values are keys of a dictionary. */
interface KeyColumn {
  readonly dict: string
  readonly what: Label
  readonly table: string
  readonly column: string
  /** The keys stand somewhere in a JSON value. */
  readonly inJson: boolean
}
/** Where data of a tenant holds keys: what the nouns declare, and the columns of those that are more than plain. */
const columns: readonly KeyColumn[] = [
  ...resources
    .filter(resource => isOfTenants(resource) && resource.verbs.includes('submit'))
    .flatMap(resource =>
      Object.entries(resource.fields).flatMap(([name, field]) => {
        const dict = field.dict ?? field.keysOf
        const place = { what: resource.label, table: resource.table, column: snakeCase(name), inJson: field.kind === 'json' }
        return dict === undefined || field.form === false ? [] : [{ ...place, dict }]
      }),
    ),
  { dict: 'org_category', what: { zh: '部门', en: 'Departments' }, table: 'dept', column: 'dept_category', inJson: false },
  { dict: 'sex', what: { zh: '用户', en: 'Users' }, table: 'account', column: 'sex', inJson: false },
  { dict: 'exam_type', what: { zh: '考试', en: 'Examinations' }, table: 'examination', column: 'exam_type', inJson: false },
]

const holdsKey = ({ table, column, inJson }: KeyColumn, key: string): RawBuilder<unknown> => sql`
  exists (select 1 from ${sql.table(table)} u where not u.is_deleted and ${
    inJson
      ? sql`jsonb_path_exists(u.${sql.ref(column)}, '$.** ? (@ == $key)', jsonb_build_object('key', ${key}::text))`
      : sql`u.${sql.ref(column)}::text = ${key}`
  })`

const usesOfColumns = async (db: TenantDb, code: string, key: string): Promise<Label[]> => {
  const wanted = columns.filter(column => column.dict === code)
  if (wanted.length === 0) return []
  const found = await db.one(sql<Record<string, boolean>>`
    select ${sql.join(wanted.map((column, at) => sql`${holdsKey(column, key)} as ${sql.ref(`at${at}`)}`))}`)
  return wanted.filter((_, at) => found[`at${at}`]).map(column => column.what)
}

/** Fields of a form, and columns of its tables, that choose from this dictionary. */
const choosesFrom = (code: string): RawBuilder<unknown> =>
  sql`not i.is_deleted and (i.dict_code = ${code} or jsonb_path_exists(i.columns, '$[*] ? (@.dictCode == $code)', jsonb_build_object('code', ${code}::text)))`

const mostNamed = 3
/** Examinations that people answered with this key. An answer that is kept sealed tells nothing, so it counts as one. */
const usesOfAnswers = async (db: TenantDb, code: string, key: string): Promise<Label[]> => {
  const exams = await db.all(sql<{ name: string }>`
    select e.exam_name as name from examination e where not e.is_deleted and exists (
      select 1 from sign_item i join signup s on s.exam_id = i.exam_id and not s.is_deleted
      where i.exam_id = e.id and ${choosesFrom(code)} and s.content ? i.item_key
        and (i.sensitive = 2 or jsonb_path_exists(s.content -> i.item_key, '$.** ? (@ == $key)', jsonb_build_object('key', ${key}::text))))
    order by e.id desc limit ${mostNamed}`)
  return exams.map(({ name }) => ({ zh: `“${name}”的报名表`, en: `forms of "${name}"` }))
}

/** Forms whose fields name this dictionary. */
const usesOfForms = async (db: TenantDb, code: string): Promise<Label[]> => {
  const [library, exams] = await Promise.all([
    db.all(sql<{ name: string; nameEn: string }>`
      select i.item_label as name, coalesce(nullif(i.item_label_en, ''), i.item_label) as "nameEn" from item i where ${choosesFrom(code)} order by i.id limit ${mostNamed}`),
    db.all(sql<{ name: string }>`
      select e.exam_name as name from examination e where not e.is_deleted
        and exists (select 1 from sign_item i where i.exam_id = e.id and ${choosesFrom(code)}) order by e.id desc limit ${mostNamed}`),
  ])
  return [
    ...library.map(({ name, nameEn }) => ({ zh: `报名项“${name}”`, en: `the form field "${nameEn}"` })),
    ...exams.map(({ name }) => ({ zh: `“${name}”的报名表`, en: `the form of "${name}"` })),
  ]
}

/** Where data of the tenant is shown by the words of this entry, or where forms name this dictionary. */
export const usesOfEntry = async (
  db: TenantDb,
  { code, dictKey }: { readonly code: string; readonly dictKey: string },
): Promise<Label[]> =>
  dictKey === groupKey ? usesOfForms(db, code) : [...(await usesOfColumns(db, code, dictKey)), ...(await usesOfAnswers(db, code, dictKey))]
