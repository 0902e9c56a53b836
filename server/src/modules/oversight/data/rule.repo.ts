import { systemRoles } from '#contract/access/role.ts'
import type { Measure, Span, SubjectKind } from '#contract/oversight/measure.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Limits } from '../domain/volume.ts'

export interface RuleRow extends Limits {
  readonly id: string
  readonly code: string
  readonly nameZh: string
  readonly nameEn: string
  readonly measure: Measure
  readonly span: Span
  readonly subject: SubjectKind
  readonly roles: readonly string[]
  readonly isOffHours: boolean
  /** From so many times the limit on the person's exports stop. */
  readonly brake: number | null
  readonly isOn: boolean
  readonly isFixed: boolean
  readonly isOwn: boolean
  readonly reason: string
  readonly updateUser: string
  readonly updatedAt: Date
  readonly version: number
}
const select = sql`
  r.id::text as id, r.code, r.name_zh as "nameZh", r.name_en as "nameEn", r.measure, r.span, r.subject, r.roles, r.is_off_hours as "isOffHours", r.threshold,
  r.factor::float8 as factor, r.floor, r.brake, r.is_on as "isOn", r.is_fixed as "isFixed", r.is_own as "isOwn", r.reason, r.updated_at as "updatedAt", r.version,
  coalesce((select nullif(a.real_name, '') from account a where a.id = r.updated_by), '') as "updateUser"`

export const listRules = (db: TenantDb): Promise<RuleRow[]> =>
  db.all(sql<RuleRow>`select ${select} from watch_rule r where not r.is_deleted order by r.sort, r.id`)
/** Roles that the program knows by their alias; a rule is narrowed to some of them. */
export const listRoles = (db: TenantDb): Promise<{ alias: string; zh: string; en: string }[]> =>
  db.all(sql<{ alias: string; zh: string; en: string }>`
    select role_alias as alias, role_name as zh, coalesce(nullif(role_name_en, ''), role_name) as en from role
    where role_alias = any(${[...systemRoles]}) and role_alias <> 'candidate' and not is_deleted order by sort, id`)
/** Rules that are on and count one of these. */
export const rulesOn = (db: TenantDb, measures: readonly Measure[]): Promise<RuleRow[]> =>
  db.all(
    sql<RuleRow>`select ${select} from watch_rule r where r.is_on and not r.is_deleted and r.measure = any(${[...measures]}) order by r.sort, r.id`,
  )
export const lockRule = (db: TenantDb, id: string): Promise<RuleRow | undefined> =>
  db.maybe(sql<RuleRow>`select ${select} from watch_rule r where r.id = ${id} and not r.is_deleted for update of r`)

export type RuleChange = Limits & Pick<RuleRow, 'nameZh' | 'nameEn' | 'roles' | 'isOffHours' | 'brake'>
export type NewRule = RuleChange & Pick<RuleRow, 'measure' | 'span' | 'subject'>
/** A rule of the tenant's own stands after those that came with the program. */
export const insertRule = async (db: TenantDb, rule: NewRule, reason: string): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into watch_rule (tenant_id, code, name_zh, name_en, measure, span, subject, roles, is_off_hours, threshold, factor, floor, brake, is_own, sort, reason, updated_by)
      values (${db.actor.tenantId}, 'own-' || next_id(), ${rule.nameZh}, ${rule.nameEn}, ${rule.measure}, ${rule.span}, ${rule.subject}, ${JSON.stringify(rule.roles)}, ${rule.isOffHours},
        ${rule.threshold}, ${rule.factor}, ${rule.floor}, ${rule.brake}, true, 1000, ${reason}, ${db.actor.userId})
      returning id::text as id`)
  ).id
export const countOwnRules = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from watch_rule where is_own and not is_deleted`)).n
/** Its alerts go on naming it. */
export const retireRule = (db: TenantDb, id: string, reason: string): Promise<number> =>
  db.run(sql`
    update watch_rule set is_deleted = true, is_on = false, reason = ${reason}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${id}`)
export const updateRule = (db: TenantDb, id: string, to: RuleChange, reason: string): Promise<number> =>
  db.run(sql`
    update watch_rule set name_zh = ${to.nameZh}, name_en = ${to.nameEn}, brake = ${to.brake}, threshold = ${to.threshold}, factor = ${to.factor}, floor = ${to.floor}, roles = ${JSON.stringify(to.roles)}, is_off_hours = ${to.isOffHours},
      reason = ${reason}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${id}`)
export const setRuleOn = (db: TenantDb, id: string, isOn: boolean, reason: string): Promise<number> =>
  db.run(sql`
    update watch_rule set is_on = ${isOn}, reason = ${reason}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${id}`)
