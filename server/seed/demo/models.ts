import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** One data source, which nobody can reach before the operator allows it, and a model of a table of the program's own with what is generated of it. */
export const writeModels = async (db: TenantDb): Promise<void> => {
  const { tenantId } = db.actor
  const { userId } = await db.one(
    sql<{ userId: string }>`select id::text as "userId" from account where account_key = 'administrator' and not is_deleted`,
  )
  await db.run(sql`
    insert into datasource (tenant_id, created_by, updated_by, name, kind, host, port, database_name, username, remark)
    values (${tenantId}, ${userId}, ${userId}, '区统计库', 'mysql', 'stat.example.org', 3306, 'stat', 'reader', '统计局提供，只读')`)
  const { id } = await db.one(sql<{ id: string }>`
    insert into data_model (tenant_id, created_by, updated_by, model_table, model_name, model_code, model_class, model_remark)
    values (${tenantId}, ${userId}, ${userId}, 'ticket_remark', '准考证备注', 'remark-library', 'RemarkLibrary', '用于演示代码生成') returning id::text as id`)
  await db.run(sql`
    insert into code (tenant_id, created_by, updated_by, code_name, english_name, model_id, template_type, service_name)
    values (${tenantId}, ${userId}, ${userId}, '备注库', 'Remark library', ${id}, 'crud', 'ticket')`)
}
