import type { FieldRule } from '#contract/kernel/field-rule.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { RoleNames } from '../domain/role-title.ts'

export interface StoredRule {
  readonly noun: string
  readonly field: string
  readonly level: FieldRule
}
const levelNumbers: Readonly<Record<FieldRule, number>> = { masked: 1, hidden: 2 }

/** The rules of every role by its id. */
export const listFieldRules = async (db: TenantDb): Promise<ReadonlyMap<string, readonly StoredRule[]>> => {
  const rows = await db.all(sql<StoredRule & { roleId: string }>`
    select role_id::text as "roleId", noun, field, case level when 1 then 'masked' else 'hidden' end as level
    from role_field_rule order by role_id, noun, field`)
  const byRole = new Map<string, StoredRule[]>()
  for (const { roleId, ...rule } of rows) byRole.set(roleId, [...(byRole.get(roleId) ?? []), rule])
  return byRole
}

/** Replaces the rules of a role. `views`: codes by which a role gets to see each noun. */
export const replaceFieldRules = async (
  db: TenantDb,
  roleId: string,
  rules: readonly (StoredRule & { readonly views: readonly string[] })[],
): Promise<void> => {
  await db.run(sql`delete from role_field_rule where role_id = ${roleId}`)
  if (rules.length === 0) return
  const rows = rules.map(rule => ({ ...rule, level: levelNumbers[rule.level] }))
  await db.run(sql`
    insert into role_field_rule (tenant_id, role_id, noun, field, level, views, created_by)
    select ${db.actor.tenantId}, ${roleId}, r.noun, r.field, r.level, array(select jsonb_array_elements_text(r.views)), ${db.actor.userId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(noun text, field text, level int, views jsonb)`)
}

/** The first of these roles that sees more of some field than a reader with these rules; one that does not see the noun sees nothing of it. `written`: where rules about the field may stand. */
export const roleSeeingMore = async (
  db: TenantDb,
  roleIds: readonly string[],
  own: readonly (StoredRule & { readonly views: readonly string[]; readonly written: readonly string[] })[],
): Promise<RoleNames | undefined> => {
  if (own.length === 0) return undefined
  const rows = own.map(rule => ({ ...rule, level: levelNumbers[rule.level] }))
  return db.maybe(sql<RoleNames>`
    select r.role_name as "roleName", r.role_name_en as "roleNameEn", r.role_alias as "roleAlias" from role r
    join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(level int, views jsonb, written jsonb) on true
    where r.id = any(${[...roleIds]}::bigint[])
      and exists (select 1 from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
        where rm.role_id = r.id and o.views ? m.code)
      and coalesce((select max(x.level) from role_field_rule x where x.role_id = r.id and o.written ? (x.noun || '.' || x.field)), 0) < o.level
    order by r.sort, r.id limit 1`)
}
