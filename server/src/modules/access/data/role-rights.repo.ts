import { grantingCodes, loneRoles } from '#contract/access/role.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { RoleRights } from '../domain/hand-out.ts'

const rights = sql`
  r.id::text as id, r.role_name as "roleName", r.role_name_en as "roleNameEn", r.role_alias as "roleAlias",
  coalesce((select json_agg(rm.menu_id::text) from role_menu rm where rm.role_id = r.id), '[]') as "menuIds",
  coalesce((select json_agg(json_build_object('id', m.id::text, 'who', kept_for(m.code), 'grants', m.code = any(${[...grantingCodes]})) order by m.id) from role_menu rm
    join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted where rm.role_id = r.id and kept_for(m.code) is not null), '[]') as kept`
/** Every role that one of these people holds. */
export const rolesOfUsers = (db: TenantDb, userIds: readonly string[]): Promise<RoleRights[]> =>
  db.all(sql<RoleRights>`
    select ${rights} from role r
    where not r.is_deleted and r.id in (select role_id from account_role where user_id = any(${[...userIds]}::bigint[])) order by r.sort, r.id`)
/** People who hold this role and others, with all of them: what a role gets must fit what they hold beside it. */
export const holdersWithOthers = async (
  db: TenantDb,
  roleId: string,
): Promise<readonly { readonly account: string; readonly roles: readonly RoleRights[] }[]> => {
  const held = await db.all(sql<RoleRights & { account: string }>`
    select ${rights}, a.account from account_role here join account_role ar on ar.tenant_id = here.tenant_id and ar.user_id = here.user_id
      join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
      join account a on a.tenant_id = here.tenant_id and a.id = here.user_id
    where here.role_id = ${roleId} and (select count(*) from account_role o where o.tenant_id = here.tenant_id and o.user_id = here.user_id) > 1
    order by a.account`)
  const byAccount = new Map<string, RoleRights[]>()
  for (const { account, ...role } of held) byAccount.set(account, [...(byAccount.get(account) ?? []), role])
  return [...byAccount].map(([account, roles]) => ({ account, roles }))
}
export interface StaffRole extends RoleRights {
  readonly parentId: string
}
/** The roles of staff, or those of them that are named. */
export const staffRoles = (db: TenantDb, ids?: readonly string[]): Promise<StaffRole[]> =>
  db.all(sql<StaffRole>`
    select ${rights}, r.parent_id::text as "parentId" from role r
    where not r.is_deleted and r.role_alias <> 'candidate' and ${ids ? sql`r.id = any(${[...ids]}::bigint[])` : sql`true`} order by r.sort, r.id`)
export const menusOfRoles = async (db: TenantDb, roleIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ id: string }>`select distinct menu_id::text as id from role_menu where role_id = any(${[...roleIds]}::bigint[])`)
    ).map(row => row.id),
  )

/** How many of these ids are members of staff within the scope who can act. */
export const countAbleStaff = (db: TenantDb, ids: readonly string[], scope: RawBuilder<unknown> = sql`true`): Promise<number> =>
  countStaff(db, ids, sql`status = 1 and ${scope}`)

/** How many of these ids are living members of staff within the scope. */
export const countStaff = async (db: TenantDb, ids: readonly string[], scope: RawBuilder<unknown> = sql`true`): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from account where id = any(${[...ids]}::bigint[]) and user_type = 1 and not is_deleted and ${scope}`)
  ).n

/** Comma-joined departments of a person within the scope. */
export const findDepartmentsOf = (
  db: TenantDb,
  id: string,
  scope: RawBuilder<unknown> = sql`true`,
): Promise<{ deptId: string | null } | undefined> =>
  db.maybe(sql<{ deptId: string | null }>`select dept_id as "deptId" from account where id = ${id} and not is_deleted and ${scope}`)

/** Menus and buttons of work: those that no role holds which gives rights or watches over others. */
export const menusOfWork = async (db: TenantDb, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ id: string }>`
        select m.id::text as id from menu m where m.id = any(${[...ids]}::bigint[]) and m.category = 2 and m.is_system and not m.is_platform
          and not exists (select 1 from role_menu rm join role r on r.tenant_id = rm.tenant_id and r.id = rm.role_id
            where rm.tenant_id = m.tenant_id and rm.menu_id = m.id and not r.is_deleted and r.role_alias = any(${[...loneRoles]}))`)
    ).map(row => row.id),
  )
