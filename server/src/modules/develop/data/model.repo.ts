import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { ModelField } from '../domain/model-field.ts'

export interface ModelRow {
  readonly id: string
  /** Empty: this program's own database. */
  readonly datasourceId: string
  readonly modelTable: string
  readonly modelName: string
  readonly modelCode: string
}
const columns = sql`id::text as id, coalesce(datasource_id::text, '') as "datasourceId", model_table as "modelTable",
  model_name as "modelName", model_code as "modelCode"`

export const findModel = (db: TenantDb, id: string): Promise<ModelRow | undefined> =>
  db.maybe(sql<ModelRow>`select ${columns} from data_model where id = ${id} and not is_deleted`)
export const lockModel = (db: TenantDb, id: string): Promise<ModelRow | undefined> =>
  db.maybe(sql<ModelRow>`select ${columns} from data_model where id = ${id} and not is_deleted for update`)
export const findModelOf = (db: TenantDb, datasourceId: string, table: string): Promise<ModelRow | undefined> =>
  db.maybe(sql<ModelRow>`
    select ${columns} from data_model
    where coalesce(datasource_id::text, '') = ${datasourceId} and model_table = ${table} and not is_deleted order by id limit 1`)

export const insertModel = (db: TenantDb, row: Omit<ModelRow, 'id'> & { readonly modelClass: string }): Promise<{ id: string }> =>
  db.one(sql<{ id: string }>`
    insert into data_model (tenant_id, created_by, updated_by, datasource_id, model_table, model_name, model_code, model_class)
    values (${db.actor.tenantId}, ${db.actor.userId}, ${db.actor.userId}, ${row.datasourceId === '' ? null : row.datasourceId}, ${row.modelTable},
      ${row.modelName}, ${row.modelCode}, ${row.modelClass}) returning id::text as id`)
export const isModelCode = async (db: TenantDb, code: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from data_model where model_code = ${code} and not is_deleted`)) !== undefined

/** The columns of a model in the order of its table; none before somebody has chosen anything. */
export const listFields = (db: TenantDb, modelId: string): Promise<ModelField[]> =>
  db.all(sql<ModelField>`
    select id::text as id, jdbc_name as "jdbcName", jdbc_type as "jdbcType", jdbc_comment as "jdbcComment", is_key as "isKey", is_unique as "isUnique",
      is_foreign as "isForeign", left_out as "leftOut", property_name as "propertyName", is_list as "isList", is_form as "isForm", is_row as "isRow",
      is_required as "isRequired", is_query as "isQuery", component_type as "componentType", dict_code as "dictCode", query_type as "queryType"
    from data_model_field where model_id = ${modelId} order by sort`)

export const replaceFields = async (db: TenantDb, modelId: string, fields: readonly ModelField[]): Promise<void> => {
  await db.run(sql`delete from data_model_field where model_id = ${modelId}`)
  const rows = fields.map(({ id: _, ...field }, sort) => ({ ...field, sort }))
  await db.run(sql`
    insert into data_model_field (tenant_id, model_id, sort, jdbc_name, jdbc_type, jdbc_comment, is_key, is_unique, is_foreign, left_out, property_name,
      is_list, is_form, is_row, is_required, is_query, component_type, dict_code, query_type)
    select ${db.actor.tenantId}, ${modelId}::bigint, r.sort, r."jdbcName", r."jdbcType", r."jdbcComment", r."isKey", r."isUnique", r."isForeign", r."leftOut",
      r."propertyName", r."isList", r."isForm", r."isRow", r."isRequired", r."isQuery", r."componentType", r."dictCode", r."queryType"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(sort int, "jdbcName" text, "jdbcType" text, "jdbcComment" text, "isKey" bool,
      "isUnique" bool, "isForeign" bool, "leftOut" text, "propertyName" text, "isList" bool, "isForm" bool, "isRow" bool, "isRequired" bool,
      "isQuery" bool, "componentType" text, "dictCode" text, "queryType" text)`)
  await db.run(sql`update data_model set updated_at = app_now(), updated_by = ${db.actor.userId} where id = ${modelId}`)
}

/** A configuration that generates from one of these models. */
export const findUser = (db: TenantDb, modelIds: readonly string[]): Promise<{ model: string; code: string } | undefined> =>
  db.maybe(sql<{ model: string; code: string }>`
    select m.model_name as model, c.code_name as code from code c join data_model m on m.id in (c.model_id, c.sub_model_id)
    where m.id = any(${modelIds}) and not c.is_deleted order by c.id limit 1`)
