import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { NounFile } from '../domain/model-field.ts'

export interface CodeRow {
  readonly id: string
  readonly codeName: string
  readonly englishName: string
  readonly modelId: string
  readonly templateType: string
  readonly serviceName: string
  readonly nounName: string
  readonly menuId: string
  readonly roles: string
  readonly subModelId: string
  readonly subFkId: string
  readonly treePid: string
  readonly treeName: string
  readonly generatedTime: Date | null
  readonly generatedFiles: readonly NounFile[] | null
}

export const findCodes = (db: TenantDb, ids: readonly string[]): Promise<CodeRow[]> =>
  db.all(sql<CodeRow>`
    select id::text as id, code_name as "codeName", coalesce(english_name, '') as "englishName", model_id::text as "modelId",
      template_type as "templateType", service_name as "serviceName", coalesce(noun_name, '') as "nounName", coalesce(menu_id::text, '') as "menuId",
      coalesce(roles, '') as roles, coalesce(sub_model_id::text, '') as "subModelId", coalesce(sub_fk_id, '') as "subFkId",
      coalesce(tree_pid, '') as "treePid", coalesce(tree_name, '') as "treeName", generated_time as "generatedTime", generated_files as "generatedFiles"
    from code where id = any(${ids}) and not is_deleted order by id`)

export const copyCode = (db: TenantDb, id: string): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`
    insert into code (tenant_id, created_by, updated_by, code_name, english_name, model_id, template_type, service_name, noun_name, menu_id, roles,
      sub_model_id, sub_fk_id, tree_id, tree_pid, tree_name)
    select tenant_id, ${db.actor.userId}, ${db.actor.userId}, left(code_name, 55) || '-copy', english_name, model_id, template_type, service_name,
      rtrim(left(noun_name, 35), '-') || '-copy', menu_id, roles, sub_model_id, sub_fk_id, tree_id, tree_pid, tree_name
    from code where id = ${id} and not is_deleted returning id::text as id`)

export const keepGenerated = async (db: TenantDb, id: string, files: readonly NounFile[]): Promise<void> => {
  await db.run(sql`
    update code set generated_time = app_now(), generated_files = ${JSON.stringify(files)}::jsonb, updated_at = app_now(), updated_by = ${db.actor.userId}
    where id = ${id}`)
}

export const findMenuCode = async (db: TenantDb, id: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ code: string }>`select code from menu where id = ${id} and not is_deleted`))?.code

export const listMenus = (db: TenantDb, codes: readonly string[]): Promise<{ id: string; zh: string; en: string }[]> =>
  db.all(sql<{ id: string; zh: string; en: string }>`
    select id::text as id, name as zh, coalesce(nullif(name_en, ''), name) as en from menu where code = any(${codes}) and not is_deleted order by sort, id`)

/** Those of these dictionaries that the program does not have. */
export const unknownDictionaries = async (db: TenantDb, codes: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ code: string }>`
      select w.code from unnest(${codes}::text[]) as w(code)
      where not exists (select 1 from dict_biz d where d.code = w.code and not d.is_deleted)
        and not exists (select 1 from dict d where d.code = w.code and not d.is_deleted)`)
  ).map(({ code }) => code)

/** Those of these tables that are there. */
export const knownTables = async (db: TenantDb, tables: readonly string[]): Promise<string[]> =>
  (
    await db.all(
      sql<{
        name: string
      }>`select relname::text as name from pg_class where relname = any(${tables}) and relnamespace = 'public'::regnamespace`,
    )
  ).map(({ name }) => name)
