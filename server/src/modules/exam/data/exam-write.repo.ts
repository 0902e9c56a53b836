import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'

type Values = Readonly<Record<string, unknown>>
const stored = (value: unknown): unknown =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && !(value instanceof Date)) ? JSON.stringify(value) : value

export const insertExam = async (db: TenantDb, values: Values): Promise<string> => {
  const names = Object.keys(values)
  const { id } = await db.one(sql<{ id: string }>`
    insert into examination (tenant_id, created_by, updated_by, ${sql.join(names.map(name => sql.ref(snakeCase(name))))})
    values (${db.actor.tenantId}, ${db.actor.userId}, ${db.actor.userId}, ${sql.join(names.map(name => stored(values[name])))})
    returning id::text as id`)
  await db.run(sql`insert into exam_counter (tenant_id, exam_id) values (${db.actor.tenantId}, ${id})`)
  return id
}

export const updateExam = async (db: TenantDb, id: string, values: Values): Promise<void> => {
  const set = Object.keys(values).map(name => sql`${sql.ref(snakeCase(name))} = ${stored(values[name])}`)
  await db.run(sql`
    update examination set ${sql.join([...set, sql`updated_at = app_now()`, sql`updated_by = ${db.actor.userId}`, sql`version = version + 1`])} where id = ${id}`)
}

export const removeExamRows = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update examination set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = any(${[...ids]}::bigint[])`)
}

/** Another live examination of the tenant with this name, code or number. */
export const findTaken = (
  db: TenantDb,
  exam: { examName: unknown; examCode: unknown; year: unknown; examNo: unknown },
  id: string | undefined,
): Promise<{ name: boolean; code: boolean; no: boolean } | undefined> =>
  db.maybe(sql<{ name: boolean; code: boolean; no: boolean }>`
    select bool_or(exam_name = ${exam.examName}) as name, bool_or(exam_code = ${exam.examCode}) as code, bool_or(year = ${exam.year} and exam_no = ${exam.examNo}) as no
    from examination where not is_deleted and id <> ${id ?? '0'}
      and (exam_name = ${exam.examName} or exam_code = ${exam.examCode} or (year = ${exam.year} and exam_no = ${exam.examNo}))
    having count(*) > 0`)

/** Writes lines of the public change record. */
export const addChanges = async (db: TenantDb, examId: string, lines: readonly Label[]): Promise<void> => {
  for (const line of lines)
    await db.run(sql`
      insert into exam_change (tenant_id, exam_id, content_zh, content_en, created_by)
      values (${db.actor.tenantId}, ${examId}, ${line.zh.slice(0, 500)}, ${line.en.slice(0, 800)}, ${db.actor.userId})`)
}

/** The newest lines of the public change record. */
export const listChanges = (db: TenantDb, examId: string, most: number): Promise<{ zh: string; en: string; createdAt: Date }[]> =>
  db.all(sql<{ zh: string; en: string; createdAt: Date }>`
    select content_zh as zh, content_en as en, created_at as "createdAt" from exam_change where exam_id = ${examId} order by id desc limit ${most}`)

/** Who has written the examination last, to be told to whoever meant to write next; empty when it was nobody's doing. */
export const findLastWriter = async (db: TenantDb, id: string): Promise<string> => {
  const row = await db.maybe(sql<{ name: string | null }>`
    select a.real_name as name from examination e join account a on a.tenant_id = e.tenant_id and a.id = e.updated_by where e.id = ${id}`)
  return row?.name ?? ''
}
