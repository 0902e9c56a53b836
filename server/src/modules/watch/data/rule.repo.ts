import { systemRoles } from '#contract/system/role.ts'
import type { Measure, Span, SubjectKind } from '#contract/watch/measure.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Limits } from '../domain/volume.ts'

export interface RuleRow extends Limits {
  readonly id: string
  readonly nameZh: string
  readonly nameEn: string
  readonly measure: Measure
  readonly span: Span
  readonly subject: SubjectKind
  readonly roles: readonly string[]
  readonly isOffHours: boolean
  readonly isOn: boolean
  readonly isFixed: boolean
  readonly reason: string
  readonly updateUser: string
  readonly updatedAt: Date
  readonly version: number
}
const select = sql`
  r.id::text as id, r.name_zh as "nameZh", r.name_en as "nameEn", r.measure, r.span, r.subject, r.roles, r.is_off_hours as "isOffHours", r.threshold,
  r.factor::float8 as factor, r.floor, r.is_on as "isOn", r.is_fixed as "isFixed", r.reason, r.updated_at as "updatedAt", r.version,
  coalesce((select nullif(a.real_name, '') from account a where a.id = r.updated_by), '') as "updateUser"`

export const listRules = (db: TenantDb): Promise<RuleRow[]> =>
  db.all(sql<RuleRow>`select ${select} from watch_rule r order by r.sort, r.id`)
/** Roles that the program knows by their alias; a rule is narrowed to some of them. */
export const listRoles = (db: TenantDb): Promise<{ alias: string; zh: string; en: string }[]> =>
  db.all(sql<{ alias: string; zh: string; en: string }>`
    select role_alias as alias, role_name as zh, coalesce(nullif(role_name_en, ''), role_name) as en from role
    where role_alias = any(${[...systemRoles]}) and role_alias <> 'candidate' and not is_deleted order by sort, id`)
/** Rules that are on and count one of these. */
export const rulesOn = (db: TenantDb, measures: readonly Measure[]): Promise<RuleRow[]> =>
  db.all(sql<RuleRow>`select ${select} from watch_rule r where r.is_on and r.measure = any(${[...measures]}) order by r.sort, r.id`)
export const lockRule = (db: TenantDb, id: string): Promise<RuleRow | undefined> =>
  db.maybe(sql<RuleRow>`select ${select} from watch_rule r where r.id = ${id} for update of r`)

export type RuleChange = Limits & Pick<RuleRow, 'roles' | 'isOffHours'>
export const updateRule = (db: TenantDb, id: string, to: RuleChange, reason: string): Promise<number> =>
  db.run(sql`
    update watch_rule set threshold = ${to.threshold}, factor = ${to.factor}, floor = ${to.floor}, roles = ${JSON.stringify(to.roles)}, is_off_hours = ${to.isOffHours},
      reason = ${reason}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${id}`)
export const setRuleOn = (db: TenantDb, id: string, isOn: boolean, reason: string): Promise<number> =>
  db.run(sql`
    update watch_rule set is_on = ${isOn}, reason = ${reason}, updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1 where id = ${id}`)
