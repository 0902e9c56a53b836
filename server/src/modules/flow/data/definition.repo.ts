import { categoryDictionary } from '#contract/flow/flow-limits.ts'
import type { ProcessGraph } from '#contract/flow/process-graph.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, textHolds } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface DefinitionRow {
  readonly id: string
  readonly tenantId: string
  readonly key: string
  readonly version: number
  readonly name: string
  readonly description: string
  readonly category: string
  readonly categoryZh: string | null
  readonly categoryEn: string | null
  readonly route: string | null
  readonly deploymentId: string
  readonly state: 'active' | 'suspended'
  readonly isCommon: boolean
  readonly isDeleted: boolean
  readonly createdAt: Date
  readonly createdBy: string
}
const columns = sql`
  d.id::text as id, d.tenant_id as "tenantId", d.flow_key as key, d.flow_version as version, d.name, d.description, d.category, c.dict_value as "categoryZh",
  nullif(c.dict_value_en, '') as "categoryEn", nullif(c.remark, '') as route, d.deployment_id::text as "deploymentId", d.state, d.is_common as "isCommon",
  d.is_deleted as "isDeleted", d.created_at as "createdAt", coalesce(d.created_by, 0)::text as "createdBy"`
/** Words of the category that `category` names. */
export const categoryJoin = (category: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join dict c on c.code = ${sql.lit(categoryDictionary)} and c.parent_id <> 0 and not c.is_deleted and 'flow_' || c.dict_key = ${category}`
const from = sql`flow_definition d ${categoryJoin(sql`d.category`)}`
/** The caller's own, and those of all: row-level security would show the platform's own to itself alone. */
const visible = (db: TenantDb): RawBuilder<unknown> => sql`(d.is_common or d.tenant_id = ${db.actor.tenantId})`

export const findDefinition = (db: TenantDb, id: string): Promise<DefinitionRow | undefined> =>
  db.maybe(sql<DefinitionRow>`select ${columns} from ${from} where d.id = ${id} and ${visible(db)}`)
/** A version never changes, so each is read once; the oldest make room for others. */
const graphs = new Map<string, ProcessGraph>()
const mostGraphs = 200
export const graphOf = async (db: TenantDb, id: string): Promise<ProcessGraph> => {
  const key = `${db.actor.tenantId} ${id}`
  const known = graphs.get(key)
  if (known) return known
  const { graph } = await db.one(sql<{ graph: ProcessGraph }>`select graph from flow_definition where id = ${id}`)
  const [oldest] = graphs.keys()
  if (graphs.size >= mostGraphs && oldest !== undefined) graphs.delete(oldest)
  graphs.set(key, graph)
  return graph
}
export const xmlOf = async (db: TenantDb, id: string): Promise<string> =>
  (await db.one(sql<{ xml: string }>`select xml from flow_definition where id = ${id}`)).xml

/** No version that is not deleted is newer. */
const isNewest = sql`not exists (select 1 from flow_definition n where n.tenant_id = d.tenant_id and n.is_common = d.is_common and n.flow_key = d.flow_key
  and not n.is_deleted and n.flow_version > d.flow_version)`
/** The version that a start by key means: the tenant's own before a common one. */
export const findNewest = (db: TenantDb, key: string): Promise<DefinitionRow | undefined> =>
  db.maybe(sql<DefinitionRow>`
    select ${columns} from ${from} where d.flow_key = ${key} and not d.is_deleted and ${visible(db)} and ${isNewest}
    order by (d.state = 'active') desc, d.is_common limit 1`)
export const isNewestVersion = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from flow_definition d where d.id = ${id} and not d.is_deleted and ${isNewest}`)) !== undefined

export interface DefinitionFilter {
  readonly key?: string | undefined
  readonly name?: string | undefined
  readonly category?: string | undefined
  readonly mode?: number | undefined
}
const filtered = (db: TenantDb, filter: DefinitionFilter): RawBuilder<unknown>[] => [
  sql`not d.is_deleted`,
  visible(db),
  ...(filter.key ? [codeHolds(sql`d.flow_key`, filter.key)] : []),
  ...(filter.name ? [textHolds(sql`d.name`, filter.name)] : []),
  ...(filter.category ? [sql`d.category = ${filter.category}`] : []),
  ...(filter.mode === undefined ? [] : [filter.mode === 1 ? sql`d.is_common` : sql`not d.is_common`]),
]
export const pageStartable = async (db: TenantDb, filter: DefinitionFilter, size: number, offset: number) => {
  const where = allOf([...filtered(db, filter), sql`d.state = 'active'`, isNewest])
  const rows = await db.all(
    sql<DefinitionRow>`select ${columns} from ${from} where ${where} order by d.category, d.name, d.id limit ${size} offset ${offset}`,
  )
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from flow_definition d where ${where}`)
  return { rows, total }
}
export const pageDefinitions = async (
  db: TenantDb,
  filter: DefinitionFilter & { readonly latest: boolean },
  size: number,
  offset: number,
) => {
  const where = allOf([...filtered(db, filter), filter.latest && isNewest])
  const rows = await db.all(sql<DefinitionRow & { running: number }>`
    select ${columns}, (select count(*)::int from flow_instance i where i.tenant_id = ${db.actor.tenantId} and i.definition_id = d.id and i.ended_at is null) as running
    from ${from} where ${where} order by d.id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from flow_definition d where ${where}`)
  return { rows, total }
}

/** Whether the dictionary has a category of this name. */
export const hasCategory = async (db: TenantDb, category: string): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from dict where code = ${categoryDictionary} and parent_id <> 0 and not is_deleted and is_sealed = 0 and 'flow_' || dict_key = ${category}`,
  )) !== undefined

export interface NewDefinition {
  readonly graph: ProcessGraph
  readonly xml: string
  readonly category: string
  readonly deploymentId: string
  readonly isCommon: boolean
}
/** The next version of its key. */
export const insertDefinition = async (db: TenantDb, one: NewDefinition): Promise<{ id: string; version: number }> => {
  const { key, name, description } = one.graph
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${db.actor.tenantId}|flow|${key}`}, 0))`)
  return db.one(sql<{ id: string; version: number }>`
    insert into flow_definition (tenant_id, flow_key, flow_version, name, description, category, deployment_id, xml, graph, is_common, created_by)
    select ${db.actor.tenantId}, ${key}::varchar, 1 + coalesce(max(o.flow_version), 0), ${name}::varchar, ${description}::varchar, ${one.category}::varchar, ${one.deploymentId}::bigint, ${one.xml}::text,
      ${JSON.stringify(one.graph)}::jsonb, ${one.isCommon}::boolean, ${db.actor.userId}::bigint
    from flow_definition o where o.tenant_id = ${db.actor.tenantId} and o.is_common = ${one.isCommon} and o.flow_key = ${key}
    returning id::text as id, flow_version as version`)
}
export const setDefinitionState = async (db: TenantDb, id: string, state: 'active' | 'suspended'): Promise<boolean> =>
  (await db.run(sql`
    update flow_definition set state = ${state}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id} and tenant_id = ${db.actor.tenantId} and not is_deleted and state <> ${state}`)) === 1
/** Their own only. @returns those that were marked */
export const removeDeployments = (
  db: TenantDb,
  deploymentIds: readonly string[],
): Promise<{ id: string; key: string; isCommon: boolean }[]> =>
  db.all(sql<{ id: string; key: string; isCommon: boolean }>`
    update flow_definition set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where tenant_id = ${db.actor.tenantId} and deployment_id = any(${[...deploymentIds]}::bigint[]) and not is_deleted
    returning id::text as id, flow_key as key, is_common as "isCommon"`)
export const countRunningEverywhere = async (
  db: PlatformDb,
  definitionIds: readonly string[],
): Promise<{ tenantId: string; id: string; title: string }[]> =>
  db.all(sql<{ tenantId: string; id: string; title: string }>`
    select tenant_id as "tenantId", id::text as id, title from flow_instance where definition_id = any(${[...definitionIds]}::bigint[]) and ended_at is null order by id`)
/** Which of these tenants are there. */
export const tenantsAmong = async (db: PlatformDb, tenantIds: readonly string[]): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from tenant where tenant_id = any(${[...tenantIds]}) and not is_deleted`)).n
export const listDeployed = (db: TenantDb, deploymentIds: readonly string[]): Promise<{ id: string; isCommon: boolean }[]> =>
  db.all(sql<{ id: string; isCommon: boolean }>`
    select id::text as id, is_common as "isCommon" from flow_definition
    where tenant_id = ${db.actor.tenantId} and deployment_id = any(${[...deploymentIds]}::bigint[]) and not is_deleted`)

export interface ModelRow {
  readonly id: string
  readonly modelKey: string
  readonly name: string
  readonly description: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
const modelColumns = sql`
  id::text as id, model_key as "modelKey", name, description, revision as version, created_at as "createdAt", updated_at as "updatedAt"`
export const pageModels = async (
  db: TenantDb,
  filter: { readonly modelKey?: string | undefined; readonly name?: string | undefined },
  size: number,
  offset: number,
) => {
  const where = allOf([
    sql`not is_deleted`,
    !!filter.modelKey && codeHolds(sql`model_key`, filter.modelKey),
    !!filter.name && textHolds(sql`name`, filter.name),
  ])
  const rows = await db.all(
    sql<ModelRow>`select ${modelColumns} from flow_model where ${where} order by updated_at desc, id desc limit ${size} offset ${offset}`,
  )
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from flow_model where ${where}`)
  return { rows, total }
}
export const findModel = (db: TenantDb, id: string): Promise<(ModelRow & { xml: string }) | undefined> =>
  db.maybe(sql<ModelRow & { xml: string }>`select ${modelColumns}, xml from flow_model where id = ${id} and not is_deleted`)
export interface ModelText {
  readonly modelKey: string
  readonly name: string
  readonly description: string
  readonly xml: string
}
export const insertModel = (db: TenantDb, { modelKey, name, description, xml }: ModelText): Promise<ModelRow> =>
  db.one(sql<ModelRow>`
    insert into flow_model (tenant_id, model_key, name, description, xml, created_by, updated_by)
    values (${db.actor.tenantId}, ${modelKey}, ${name}, ${description}, ${xml}, ${db.actor.userId}, ${db.actor.userId}) returning ${modelColumns}`)
/** @returns undefined when it was saved or removed meanwhile */
export const updateModel = (db: TenantDb, id: string, version: number | undefined, { modelKey, name, description, xml }: ModelText) =>
  db.maybe(sql<ModelRow>`
    update flow_model set model_key = ${modelKey}, name = ${name}, description = ${description}, xml = ${xml}, revision = revision + 1,
      updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id} and not is_deleted and (${version ?? null}::int is null or revision = ${version ?? null}::int) returning ${modelColumns}`)
export const removeModels = (db: TenantDb, ids: readonly string[]): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    update flow_model set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = any(${[...ids]}::bigint[]) and not is_deleted returning id::text as id`)
