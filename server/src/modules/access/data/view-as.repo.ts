import type { Language } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, initialsHold } from '#kernel/db/search.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

const mostPeople = 50
const separator: Readonly<Record<Language, string>> = { zh: '、', en: ', ' }

export interface Viewable {
  readonly id: string
  readonly account: string
  readonly realName: string
  /** Names of the person's roles, joined. */
  readonly roleName: string
}
/** Members of staff, those whose account or name holds the word where one was typed, by account; the first fifty of those that the reader's scopes leave. */
export const findPeople = (db: TenantDb, word: string, language: Language, people: RawBuilder<unknown> | undefined): Promise<Viewable[]> =>
  db.all(sql<Viewable>`
    select a.id::text as id, a.account, a.real_name as "realName",
      coalesce((select string_agg(case when ${language === 'en'} and r.role_name_en <> '' then r.role_name_en else r.role_name end, ${separator[language]} order by r.sort)
        from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id where ar.user_id = a.id and not r.is_deleted), '') as "roleName"
    from account a where a.user_type = 1 and not a.is_deleted ${word === '' ? sql`` : sql`and (${codeHolds(sql`a.account`, word)} or ${initialsHold(sql`a.real_name`, word)})`}
      ${people === undefined ? sql`` : sql`and ${people}`}
    order by a.account, a.id limit ${mostPeople}`)

export const statusOf = async (db: TenantDb, userId: string): Promise<number> =>
  (await db.one(sql<{ status: number }>`select status from account where id = ${userId}`)).status

/** Menus and buttons that these roles hold, each with the name of the role it comes through. */
export const listGrants = (db: TenantDb, roleIds: readonly string[]): Promise<{ menuId: string; role: string }[]> =>
  db.all(sql<{ menuId: string; role: string }>`
    select rm.menu_id::text as "menuId", r.role_name as role from role_menu rm join role r on r.tenant_id = rm.tenant_id and r.id = rm.role_id and not r.is_deleted
    where rm.role_id = any(${[...roleIds]}::bigint[]) order by r.sort, r.id`)

/** Names of the data scopes that these roles hold, by noun. */
export const listScopeNames = (db: TenantDb, roleIds: readonly string[]): Promise<{ resource: string; name: string }[]> =>
  db.all(sql<{ resource: string; name: string }>`
    select distinct d.resource_code as resource, d.scope_name as name from data_scope d join role_data_scope h on h.tenant_id = d.tenant_id and h.scope_id = d.id
    where not d.is_deleted and h.role_id = any(${[...roleIds]}::bigint[]) order by 1, 2`)
