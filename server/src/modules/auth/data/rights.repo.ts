import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { RowRule } from '#kernel/http/row-scope.ts'
import type { Sight } from '../domain/sight.ts'

/** What a set of roles may do. */
export interface Rights {
  readonly roleAliases: readonly string[]
  readonly permissions: readonly string[]
  readonly rowRules: readonly RowRule[]
  readonly wideResources: readonly string[]
  readonly closedCalls: readonly string[]
  /** What each of the roles sees of fields; empty when none has a rule. */
  readonly sights: readonly Sight[]
}

/**
 * The columns of `Rights` for the roles of one tenant for which `held` is true; a removed role counts for nothing.
 *
 * @param held - whether a role's id, given as an expression, is among them
 * @param capped - whether the menu `m` is within the tenant's package, where no policy says so
 */
export const rightsColumns = (
  tenant: RawBuilder<unknown>,
  held: (roleId: RawBuilder<unknown>) => RawBuilder<unknown>,
  capped: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => {
  const live = (alias: string): RawBuilder<unknown> =>
    sql`role ${sql.raw(alias)} where ${sql.raw(alias)}.tenant_id = ${tenant} and ${held(sql.raw(`${alias}.id`))} and not ${sql.raw(alias)}.is_deleted`
  return sql`
    coalesce((select json_agg(r.role_alias) from ${live('r')}), '[]') as "roleAliases",
    coalesce((select json_agg(distinct m.code) from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id
      where rm.tenant_id = ${tenant} and m.category = 2 and not m.is_deleted and ${capped} and rm.role_id in (select r.id from ${live('r')})), '[]') as permissions,
    coalesce((select json_agg(json_build_object('resource', d.resource_code, 'type', d.scope_type, 'conditions', d.scope_value) order by d.id)
      from data_scope d where d.tenant_id = ${tenant} and not d.is_deleted
        and exists (select 1 from role_data_scope h where h.tenant_id = d.tenant_id and h.scope_id = d.id and h.role_id in (select r.id from ${live('r')}))), '[]') as "rowRules",
    coalesce((select json_agg(distinct d.resource_code) from data_scope d where d.tenant_id = ${tenant} and not d.is_deleted
      and exists (select 1 from ${live('r')}
        and exists (select 1 from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
          where rm.tenant_id = r.tenant_id and rm.role_id = r.id and m.code = d.resource_code || '_view')
        and not exists (select 1 from role_data_scope h join data_scope o on o.tenant_id = h.tenant_id and o.id = h.scope_id and not o.is_deleted
          where h.tenant_id = r.tenant_id and h.role_id = r.id and o.resource_code = d.resource_code))), '[]') as "wideResources",
    coalesce((select json_agg(distinct a.scope_method || ' ' || a.scope_path) from api_scope a where a.tenant_id = ${tenant} and not a.is_deleted
      and not exists (select 1 from role_api_scope h join api_scope o on o.tenant_id = h.tenant_id and o.id = h.scope_id and not o.is_deleted
        where h.tenant_id = a.tenant_id and o.scope_method = a.scope_method and o.scope_path = a.scope_path and h.role_id in (select r.id from ${live('r')}))), '[]') as "closedCalls",
    case when exists (select 1 from role_field_rule x where x.tenant_id = ${tenant} and x.role_id in (select r.id from ${live('r')})) then
      (select json_agg(json_build_object(
        'rules', coalesce((select json_agg(json_build_object('noun', x.noun, 'field', x.field, 'level', case x.level when 1 then 'masked' else 'hidden' end))
          from role_field_rule x where x.tenant_id = r.tenant_id and x.role_id = r.id), '[]'),
        'codes', coalesce((select json_agg(distinct m.code) from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
          where rm.tenant_id = r.tenant_id and rm.role_id = r.id), '[]'))) from ${live('r')})
      else '[]' end as sights`
}
