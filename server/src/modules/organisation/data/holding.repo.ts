import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Holding, Worker } from '#kernel/holding.ts'

/** What somebody may and where they are. */
export interface Standing {
  readonly roleIds: readonly string[]
  readonly deptIds: readonly string[]
}
export const standingOf = (db: TenantDb, userId: string): Promise<Standing> =>
  db.one(sql<Standing>`
    select coalesce((select array_agg(k.role_id::text) from account_role k where k.user_id = a.id), '{}') as "roleIds",
      coalesce(a.dept_ids::text[], '{}') as "deptIds" from account a where a.id = ${userId}`)

const lacksRight = (roleIds: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (h.needs is not null and not case when starts_with(h.needs, 'role:')
    then exists (select 1 from role r where r.id = any(${roleIds}) and not r.is_deleted and r.role_alias = substr(h.needs, 6))
    else exists (select 1 from role r join role_menu rm on rm.role_id = r.id join menu m on m.id = rm.menu_id and not m.is_deleted
      where r.id = any(${roleIds}) and not r.is_deleted and r.role_alias <> 'exam_admin' and m.code = h.needs) end)`
const isIn = (dept: RawBuilder<unknown>, deptIds: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from dept d where d.id = ${dept} and (d.ancestor_ids || d.id) && ${deptIds})`
const isAway = (deptIds: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (h.dept is not null and not ${isIn(sql`h.dept`, deptIds)}
    or h.reach is not null and cardinality(${deptIds}) > 0 and not ${isIn(sql`h.reach`, deptIds)})`

export interface HeldRow {
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly count: number
  /** With the roles and departments that are looked at, it could not be done any more. */
  readonly lacksRight: boolean
  readonly isAway: boolean
  /** The person who is to take it over could not do it. */
  readonly isBeyondNext: boolean
}
/** Work of every kind that a person has, held against what they are about to be and against whoever is to take it over. */
export const listHeld = (
  db: TenantDb,
  holdings: readonly Holding[],
  userId: string,
  after: Standing,
  next: Standing | undefined,
): Promise<HeldRow[]> => {
  const bigints = (ids: readonly string[]) => sql`${[...ids]}::bigint[]`
  return db.all(sql<HeldRow>`
    select h.kind, h.id, h.name, h.count::int as count, coalesce(${lacksRight(bigints(after.roleIds))}, false) as "lacksRight",
      coalesce(${isAway(bigints(after.deptIds))}, false) as "isAway",
      ${
        next === undefined
          ? sql`false`
          : sql`coalesce(${lacksRight(bigints(next.roleIds))} or h.reach is not null and ${isAway(bigints(next.deptIds))}, false)`
      } as "isBeyondNext"
    from (${sql.join(
      holdings.map(holding => sql`select ${holding.name}::text as kind, r.* from (${holding.rows()}) r where r.holder = ${userId}`),
      sql` union all `,
    )}) h order by h.kind, h.name, h.id`)
}

/** Accounts that have open work and cannot do it: removed, disabled, or without the right that it takes. For the check of the data. */
export const brokenHoldings = (holdings: readonly Holding[]): RawBuilder<unknown> => {
  const roles = sql`coalesce((select array_agg(k.role_id) from account_role k where k.tenant_id = a.tenant_id and k.user_id = a.id), '{}'::bigint[])`
  return sql`
    select a.id, a.account as name, string_agg(distinct h.kind, ', ') as found, '-' as expected
    from (${sql.join(
      holdings.map(
        holding =>
          sql`select ${holding.name}::text as kind, ${holding.onlyRemoved === true}::boolean as lasts, r.* from (${holding.rows()}) r`,
      ),
      sql` union all `,
    )}) h join account a on a.tenant_id = app_tenant() and a.id = h.holder
    where a.is_deleted or not h.lasts and (a.status in (2, 3, 5) or ${lacksRight(roles)})
    group by a.id, a.account`
}

export const findWorker = (
  db: TenantDb,
  userId: string,
  scope: RawBuilder<unknown> = sql`true`,
): Promise<(Worker & { readonly account: string; readonly isActive: boolean; readonly isRemoved: boolean }) | undefined> =>
  db.maybe(sql<Worker & { account: string; isActive: boolean; isRemoved: boolean }>`
    select id::text as id, account, real_name as name, user_type = 1 and status = 1 and not is_deleted as "isActive", is_deleted as "isRemoved"
    from account where id = ${userId} and ${scope}`)

/** Whom somebody answers to, as far as that person can act; else the first administrator of the tenant who can. */
export const findStead = (db: TenantDb, userId: string): Promise<Worker | undefined> =>
  db.maybe(sql<Worker>`
    select a.id::text as id, a.real_name as name from account s join account a on a.tenant_id = s.tenant_id and a.user_type = 1 and a.status = 1 and not a.is_deleted
    where s.id = ${userId} and a.id <> s.id and (a.id::text = any(string_to_array(s.leader_id, ',')) or exists (
      select 1 from account_role k join role r on r.tenant_id = k.tenant_id and r.id = k.role_id and not r.is_deleted
      where k.tenant_id = a.tenant_id and k.user_id = a.id and r.role_alias in ('administrator', 'admin')))
    order by (a.id::text = any(string_to_array(coalesce(s.leader_id, ''), ','))) desc, a.id limit 1`)
