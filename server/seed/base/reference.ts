import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tidyField } from '#contract/kernel/tidy-field.ts'
import { formerNameMark, school } from '#contract/school/school.resource.ts'
import { parseCsvRecords } from '#kernel/csv.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

const read = (name: string): Record<string, string>[] =>
  parseCsvRecords(readFileSync(fileURLToPath(new URL(`../data/${name}`, import.meta.url)), 'utf8'))
const column = (rows: readonly Record<string, string>[], name: string): string[] => rows.map(row => row[name] ?? '')

/** Regions of GB/T 2260, once per installation. */
export const seedRegions = async (db: PlatformDb): Promise<void> => {
  if (await db.maybe(sql`select 1 from region limit 1`)) return
  const rows = read('regions.csv')
  await db.run(sql`
    insert into region (code, name, level, parent_code, full_name)
    select code, name, level, nullif(parent, ''), full_name
    from unnest(${column(rows, 'code')}::text[], ${column(rows, 'name')}::text[], ${column(rows, 'level')}::int[], ${column(rows, 'parentCode')}::text[], ${column(rows, 'fullName')}::text[])
      as r(code, name, level, parent, full_name)`)
}

const levels: Record<string, number> = { 本科: 1, 专科: 2, 独立学院: 4 }

/** The ministry's list of schools as a tenant's own, which it may change later. */
export const seedSchools = async (db: TenantDb): Promise<void> => {
  if (await db.maybe(sql`select 1 from school limit 1`)) return
  const rows = read('schools.csv')
  // As forms and imports keep what is typed: an export can be imported again as it is.
  const tidied = (name: keyof typeof school.fields, header: string): string[] =>
    column(rows, header).map(text => tidyField(name, school.fields[name], text))
  const aliases = rows.map(row => (row['曾用名(分号)'] ?? '').split(formerNameMark).filter(Boolean).join('；'))
  const kindOf = (kind: string): number => (kind.includes('合作') ? 3 : kind === '民办' ? 2 : 1)
  await db.run(sql`
    insert into school (tenant_id, school_code, old_code, school_name, competent, province, city, level, kind, is_medical, aliases, remark)
    select ${db.actor.tenantId}, code, nullif(old_code, ''), name, nullif(competent, ''), province, nullif(city, ''), level, kind, medical, nullif(aliases, ''), nullif(remark, '')
    from unnest(${tidied('schoolCode', '院校标识码')}::text[], ${tidied('oldCode', '原院校代码')}::text[], ${tidied('schoolName', '院校名称')}::text[], ${tidied('competent', '主管部门')}::text[], ${tidied('province', '省')}::text[],
      ${tidied('city', '市')}::text[], ${rows.map(row => levels[row['办学层次'] ?? ''] ?? 1)}::int[], ${rows.map(row => kindOf(row['办学性质'] ?? ''))}::int[], ${rows.map(row => (row['是否医学院校'] === '是' ? 1 : 0))}::int[],
      ${aliases}::text[], ${tidied('remark', '备注')}::text[])
      as s(code, old_code, name, competent, province, city, level, kind, medical, aliases, remark)`)
}
