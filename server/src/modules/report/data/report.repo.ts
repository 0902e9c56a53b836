import type { Label } from '#contract/kernel/label.ts'
import type { Design } from '#contract/report/design.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface ReportRow {
  readonly id: string
  readonly reportName: string
  readonly dataSet: string
  readonly dataSetVersion: number
  readonly design: Design
  readonly ownerId: string
  readonly ownerName: string
  readonly cron: string
  readonly nextTime: Date | null
  readonly people: readonly string[]
  readonly linkDays: number
  readonly roles: readonly ({ readonly id: string } & Label)[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Who looks: a report is seen by its owner and by whoever holds one of its roles, if its data set is open to them. */
export interface Viewer {
  readonly userId: string
  readonly roleIds: readonly string[]
  readonly dataSets: readonly string[]
  /** Sees what others keep to themselves too. */
  readonly isAdmin: boolean
}
const seenBy = ({ userId, roleIds, dataSets, isAdmin }: Viewer): RawBuilder<unknown> => sql`(
  r.owner_id = ${userId} or (r.data_set = any(${[...dataSets]}::text[]) and (${isAdmin} or exists (
    select 1 from report_role o where o.tenant_id = r.tenant_id and o.report_id = r.id and o.role_id = any(${[...roleIds]}::bigint[])))))`

const columns = sql`
  r.id::text as id, r.report_name as "reportName", r.data_set as "dataSet", r.data_set_version as "dataSetVersion", r.design, r.owner_id::text as "ownerId",
  a.real_name as "ownerName", r.cron, r.next_time as "nextTime", r.people, r.link_days as "linkDays", r.created_at as "createdAt", r.updated_at as "updatedAt",
  coalesce((select json_agg(json_build_object('id', o.id::text, 'zh', o.role_name, 'en', coalesce(nullif(o.role_name_en, ''), o.role_name)) order by o.sort, o.id)
    from report_role rr join role o on o.tenant_id = rr.tenant_id and o.id = rr.role_id and not o.is_deleted where rr.report_id = r.id), '[]') as roles`
const from = sql`report r join account a on a.tenant_id = r.tenant_id and a.id = r.owner_id`

export const pageReports = async (
  db: TenantDb,
  of: { readonly viewer: Viewer; readonly name?: string | undefined; readonly size: number; readonly offset: number },
): Promise<{ rows: ReportRow[]; total: number }> => {
  const where = allOf([
    sql`not r.is_deleted`,
    seenBy(of.viewer),
    of.name !== undefined && of.name !== '' && wordsLike(sql`r.report_name`, [of.name]),
  ])
  const rows = await db.all(
    sql<ReportRow>`select ${columns} from ${from} where ${where} order by r.id desc limit ${of.size} offset ${of.offset}`,
  )
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${from} where ${where}`)
  return { rows, total }
}
export const findReport = (db: TenantDb, id: string, viewer: Viewer): Promise<ReportRow | undefined> =>
  db.maybe(sql<ReportRow>`select ${columns} from ${from} where r.id = ${id} and not r.is_deleted and ${seenBy(viewer)}`)
/** The same for the program itself, held until the transaction ends. */
export const lockReport = async (db: TenantDb, id: string): Promise<ReportRow | undefined> => {
  await db.maybe(sql`select 1 from report where id = ${id} for update`)
  return db.maybe(sql<ReportRow>`select ${columns} from ${from} where r.id = ${id} and not r.is_deleted`)
}
export const isNameTaken = async (db: TenantDb, name: string, exceptId: string | undefined): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from report where report_name = ${name} and not is_deleted and id is distinct from ${exceptId ?? null}::bigint limit 1`,
  )) !== undefined
export const countReports = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from report where not is_deleted`)).n

export interface NewReport {
  readonly reportName: string
  readonly design: Design
  readonly dataSetVersion: number
}
export const insertReport = async (db: TenantDb, { reportName, design, dataSetVersion }: NewReport): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into report (tenant_id, report_name, data_set, data_set_version, design, owner_id, created_by, updated_by)
      values (${db.actor.tenantId}, ${reportName}, ${design.dataSet}, ${dataSetVersion}, ${JSON.stringify(design)}, ${db.actor.userId}, ${db.actor.userId}, ${db.actor.userId})
      returning id::text as id`)
  ).id
export const updateReport = async (db: TenantDb, id: string, { reportName, design, dataSetVersion }: NewReport): Promise<void> => {
  await db.run(sql`
    update report set report_name = ${reportName}, data_set = ${design.dataSet}, data_set_version = ${dataSetVersion}, design = ${JSON.stringify(design)},
      updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where id = ${id}`)
}
/** Roles that do not exist are left out. @returns how many there are now */
export const setRoles = async (db: TenantDb, id: string, roleIds: readonly string[]): Promise<number> => {
  await db.run(sql`delete from report_role where report_id = ${id}`)
  return db.run(sql`
    insert into report_role (tenant_id, report_id, role_id)
    select ${db.actor.tenantId}, ${id}, o.id from role o where o.id = any(${[...new Set(roleIds)]}::bigint[]) and not o.is_deleted`)
}
export const setSchedule = async (
  db: TenantDb,
  id: string,
  of: { readonly cron: string; readonly nextTime: Date | null; readonly people: readonly string[]; readonly linkDays: number },
): Promise<void> => {
  await db.run(sql`
    update report set cron = ${of.cron}, next_time = ${of.nextTime}, people = ${JSON.stringify(of.people)}, link_days = ${of.linkDays}, updated_by = ${db.actor.userId},
      updated_at = app_now(), version = version + 1
    where id = ${id}`)
}
export const setNextTime = async (db: TenantDb, id: string, nextTime: Date | null): Promise<void> => {
  await db.run(sql`update report set next_time = ${nextTime} where id = ${id}`)
}
export const removeReport = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(
    sql`update report set is_deleted = true, next_time = null, updated_by = ${db.actor.userId}, updated_at = app_now() where id = ${id}`,
  )
}

/** Reports of every tenant whose time has come. */
export const listDue = (db: PlatformDb, limit: number) =>
  db.all(sql<{ tenantId: string; id: string }>`
    select tenant_id as "tenantId", id::text as id from report where next_time <= app_now() and not is_deleted order by next_time limit ${limit}`)

/** Roles that hold one of these rights, so that their people may see figures. */
export const listRoles = (db: TenantDb, rights: readonly string[]) =>
  db.all(sql<{ id: string } & Label>`
    select id::text as id, role_name as zh, coalesce(nullif(role_name_en, ''), role_name) as en from role
    where not is_deleted and role_alias <> 'candidate' and exists (
      select 1 from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
      where rm.tenant_id = role.tenant_id and rm.role_id = role.id and m.code = any(${[...rights]}::text[]))
    order by sort, id`)

/** Staff who may log in and hold one of these rights by a role of theirs. */
export const listEligible = (db: TenantDb, rights: readonly string[], limit: number) =>
  db.all(sql<{ id: string; realName: string }>`
    select a.id::text as id, a.real_name as "realName" from account a
    where a.user_type = 1 and a.status = 1 and not a.is_deleted and exists (
      select 1 from account_role ar join role o on o.tenant_id = ar.tenant_id and o.id = ar.role_id and not o.is_deleted
        join role_menu rm on rm.tenant_id = ar.tenant_id and rm.role_id = ar.role_id
        join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
      where ar.tenant_id = a.tenant_id and ar.user_id = a.id and m.code = any(${[...rights]}::text[]))
    order by a.real_name, a.id limit ${limit}`)
export const findPeople = (db: TenantDb, ids: readonly string[]) =>
  db.all(sql<{ id: string; realName: string; isActive: boolean }>`
    select id::text as id, real_name as "realName", user_type = 1 and status = 1 as "isActive" from account
    where id = any(${[...ids]}::bigint[]) and not is_deleted order by id`)
