import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Session } from '#kernel/http/context.ts'
import { masksFor } from '../domain/auditor-masks.ts'
import { departmentsOf } from '../domain/departments.ts'
import { rulesFrom } from '../domain/sight.ts'
import { type Rights, rightsColumns } from './rights.repo.ts'

type Person = Rights &
  Pick<Session, 'account' | 'nickName' | 'realName' | 'userCode' | 'deptId'> & {
    readonly id: string
    readonly roleIds: readonly string[]
    readonly userCodeIds: readonly string[]
  }

/** The session that a member of staff would have now with all of their roles. It opens nothing: no token leads to it. */
export const sessionOfUser = async (db: TenantDb, userId: string): Promise<Session | undefined> => {
  const held = sql`(select ar.role_id from account_role ar where ar.tenant_id = ${db.actor.tenantId} and ar.user_id = ${userId})`
  // The planner expects one row of a tenant it has never counted, and would go through all grants once for each of its menus; the policies
  // that cap a tenant's menus are asked as before. Plans that are kept know nothing of the setting.
  db.planAnew()
  db.send(sql`set local enable_nestloop = off`)
  const person = await db.maybe(sql<Person>`
    select a.id::text as id, a.account, a.nick_name as "nickName", a.real_name as "realName", a.user_code as "userCode", a.user_code_ids as "userCodeIds",
      a.dept_id as "deptId",
      coalesce((select json_agg(ar.role_id::text) from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
        where ar.user_id = a.id), '[]') as "roleIds",
      ${rightsColumns(sql`a.tenant_id`, id => sql`${id} in ${held}`)}
    from account a where a.id = ${userId} and a.user_type = 1 and not a.is_deleted`)
  db.send(sql`set local enable_nestloop = on`)
  if (!person) return undefined
  const { userCodeIds, roleAliases, permissions, sights, ...rest } = person
  return {
    ...rest,
    id: '0',
    tenantId: db.actor.tenantId,
    userId: person.id,
    userType: 1,
    roleAliases: new Set(roleAliases),
    departments: departmentsOf(roleAliases, person.deptId),
    permissions: new Set(permissions),
    fieldRules: rulesFrom(sights),
    shownMasked: masksFor(roleAliases),
    userCodes: [...(person.userCode ? [person.userCode] : []), ...userCodeIds],
    socialId: null,
    locked: false,
    mustChangePassword: false,
  }
}
