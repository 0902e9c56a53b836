import type { TenantDb } from '#kernel/db/scope.ts'
import { holdsWord } from '#kernel/db/search-part.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { PlacedDept } from '../domain/dept-place.ts'

export interface DeptRecord extends PlacedDept {
  readonly tenantId: string
  readonly parentId: string
  readonly parentName: string
  readonly hasChildren: boolean
  readonly deptName: string
  readonly fullName: string
  readonly deptCategory: number
  readonly leaderId: string
  readonly sort: number
  readonly remark: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const deptColumns = sql`
  d.id::text as id, d.tenant_id as "tenantId", d.parent_id::text as "parentId", d.ancestor_ids::text[] as "ancestorIds", d.dept_name as "deptName",
  d.full_name as "fullName", d.dept_category as "deptCategory", d.leader_id as "leaderId", d.sort, d.remark, d.created_at as "createdAt",
  d.updated_at as "updatedAt", d.version, coalesce(p.dept_name, '') as "parentName",
  exists (select 1 from dept c where c.parent_id = d.id and not c.is_deleted) as "hasChildren"`
const withParent = sql`from dept d left join dept p on p.id = d.parent_id`

/** One is asked for as one: the plan of a list is made anew for each list. */
const isOneOf = (ids: readonly string[]): RawBuilder<unknown> =>
  ids.length === 1 ? sql`d.id = ${ids[0]}` : sql`d.id = any(${[...ids]}::bigint[])`

export interface DeptFilter {
  readonly parentId?: string | undefined
  readonly deptName?: string | undefined
  readonly fullName?: string | undefined
  readonly ids?: readonly string[] | undefined
  /** What data scopes leave, over the id given. */
  readonly scope?: ((id: RawBuilder<unknown>) => RawBuilder<unknown> | undefined) | undefined
}
/** One level. Where the top is asked for, a department whose parent is out of reach stands at the top. */
const below = (parentId: string, scope: DeptFilter['scope']): RawBuilder<unknown> => {
  const above = parentId === '0' ? scope?.(sql`d.parent_id`) : undefined
  return above ? sql`(d.parent_id = 0 or not ${above})` : sql`d.parent_id = ${parentId}`
}
export const listDepts = (db: TenantDb, filter: DeptFilter): Promise<DeptRecord[]> =>
  db.all(sql<DeptRecord>`
    select ${deptColumns} ${withParent}
    where ${allOf([
      sql`not d.is_deleted`,
      filter.parentId !== undefined && below(filter.parentId, filter.scope),
      filter.scope?.(sql`d.id`),
      filter.deptName ? holdsWord([{ field: 'deptName', column: sql`d.dept_name` }], filter.deptName, sql`d.id`) : undefined,
      filter.fullName ? holdsWord([{ field: 'deptFullName', column: sql`d.full_name` }], filter.fullName, sql`d.id`) : undefined,
      filter.ids && isOneOf(filter.ids),
    ])} order by d.sort, d.id`)

/** What a tree to choose from says of a department. */
export interface DeptNode {
  readonly id: string
  readonly parentId: string
  readonly deptName: string
  readonly sort: number
}

/** Of all departments, or of these that there are. */
export const listDeptNodes = (db: TenantDb, scope: NonNullable<DeptFilter['scope']>, ids?: readonly string[]): Promise<DeptNode[]> =>
  db.all(sql<DeptNode>`
    select d.id, d.parent_id as "parentId", d.dept_name as "deptName", d.sort from dept d
    where ${allOf([sql`not d.is_deleted`, scope(sql`d.id`), ids && isOneOf(ids)])}`)

export const findDept = async (db: TenantDb, id: string, scope?: DeptFilter['scope']): Promise<DeptRecord | undefined> =>
  (await listDepts(db, { ids: [id], scope }))[0]

/** How many levels hang below a department. */
export const levelsBelow = async (db: TenantDb, dept: PlacedDept): Promise<number> =>
  (
    await db.one(sql<{ levels: number }>`
      select coalesce(max(cardinality(ancestor_ids)), ${dept.ancestorIds.length}) - ${dept.ancestorIds.length} as levels
      from dept where ancestor_ids @> array[${dept.id}::bigint] and not is_deleted`)
  ).levels

export const isDeptNameTaken = async (db: TenantDb, parentId: string, name: string, exceptId: string | undefined): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from dept where parent_id = ${parentId} and dept_name = ${name} and not is_deleted and id <> ${exceptId ?? '0'}`)) !==
  undefined

const mostSort = 9999
/** After the last department of a parent, whoever sees that one. */
export const nextSort = async (db: TenantDb, parentId: string): Promise<number> =>
  (
    await db.one(sql<{ next: number }>`
      select least(coalesce(max(sort), 0) + 1, ${mostSort})::int as next from dept where parent_id = ${parentId} and not is_deleted`)
  ).next

export interface DeptValues {
  readonly ancestorIds: readonly string[]
  readonly deptName: string
  readonly fullName: string
  readonly deptCategory: number
  readonly leaderId: string
  readonly sort: number
  readonly remark: string
}
export const insertDept = async (db: TenantDb, values: DeptValues): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into dept (tenant_id, parent_id, ancestor_ids, dept_name, full_name, dept_category, leader_id, sort, remark, created_by, updated_by)
      values (${db.actor.tenantId}, ${values.ancestorIds.at(-1) ?? '0'}, ${[...values.ancestorIds]}::bigint[], ${values.deptName}, ${values.fullName},
        ${values.deptCategory}, ${values.leaderId}, ${values.sort}, ${values.remark}, ${db.actor.userId}, ${db.actor.userId})
      returning id::text as id`)
  ).id

/** Writes a department and, when it has moved, the chain of everything below it. */
export const updateDept = async (db: TenantDb, before: PlacedDept, values: DeptValues): Promise<void> => {
  const chain = [...values.ancestorIds]
  await db.run(sql`
    update dept set parent_id = ${chain.at(-1) ?? '0'}, ancestor_ids = ${chain}::bigint[], dept_name = ${values.deptName}, full_name = ${values.fullName},
      dept_category = ${values.deptCategory}, leader_id = ${values.leaderId}, sort = ${values.sort}, remark = ${values.remark},
      updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${before.id}`)
  await db.run(sql`
    update dept set ancestor_ids = ${chain}::bigint[] || ancestor_ids[${before.ancestorIds.length + 1}:]
    where ancestor_ids @> array[${before.id}::bigint]`)
}

export interface DeptUses {
  readonly name: string
  readonly below: number
  readonly people: number
  readonly units: number
  readonly exams: number
}
/** What keeps departments from being removed: departments below that stay, people in them, units and examinations of theirs. */
export const usesOfDepts = (db: TenantDb, ids: readonly string[]): Promise<DeptUses[]> =>
  db.all(sql<DeptUses>`
    select d.dept_name as name,
      (select count(*)::int from dept c where c.parent_id = d.id and not c.is_deleted and not c.id = any(${[...ids]}::bigint[])) as below,
      (select count(*)::int from account_dept k join account a on a.id = k.user_id and a.dept_ids @> array[d.id] where k.dept_id = d.id) as people,
      (select count(*)::int from user_code u where u.dept_id = d.id and not u.is_deleted) as units,
      (select count(*)::int from examination e where e.dept_id = d.id and not e.is_deleted) as exams
    from dept d where d.id = any(${[...ids]}::bigint[]) order by d.id`)

export const removeDepts = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update dept set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = any(${[...ids]}::bigint[])`)
}
