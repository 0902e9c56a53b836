import type { Resource } from '#contract/kernel/resource.ts'
import { type Row, selectList } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'

/** The rows of a noun that hangs on an examination, in their order. */
export const listChildRows = (db: TenantDb, resource: Resource, examId: string): Promise<Row[]> =>
  db.all(
    sql<Row>`select ${selectList(resource)} from ${sql.table(resource.table)} where exam_id = ${examId} and not is_deleted order by sort, id`,
  )

/** Columns an examination made from another one starts anew with. */
const fresh = new Set([
  // Said by the posts of the new one.
  'typeCodes',
  'ticketState',
  'seedCommit',
  'seedReveal',
  'allotVersion',
  'scoreState',
  'usedSign',
  'postState',
  'curNum',
  'changeReason',
  'examId',
])
/** Gives an examination the same rows of a noun as another one has. */
export const copyRows = async (db: TenantDb, resource: Resource, from: string, to: string): Promise<void> => {
  const names = Object.keys(resource.fields)
    .filter(name => !fresh.has(name))
    .map(name => sql.ref(snakeCase(name)))
  const plan = resource.table === 'type_code'
  await db.run(sql`
    insert into ${sql.table(resource.table)} (tenant_id, exam_id, created_by, updated_by, ${sql.join(names)}${plan ? sql`, cur_num` : sql``})
    select ${db.actor.tenantId}, ${to}, ${db.actor.userId}, ${db.actor.userId}, ${sql.join(names)}${plan ? sql`, plan_num` : sql``}
    from ${sql.table(resource.table)} where exam_id = ${from} and not is_deleted`)
}
