import { scopedDept, scopedUser } from '#contract/system/data-scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Session } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'

/** People of these departments or of those under them (migration 0281). */
const people = (departments: readonly string[]): RawBuilder<unknown> =>
  sql`id in (select k.user_id from account_dept k where k.dept_id = any(${[...departments]}::bigint[]))`

/** Accounts that the reader's data scopes leave, as a condition on an account's id (`id` unless another column is named); undefined when they leave all. */
export const userScope = (session: Session | undefined, id: RawBuilder<unknown> = sql`id`): RawBuilder<unknown> | undefined => {
  const scope = rowScopeOf(session, {
    ...scopedUser,
    inDepartments: (departments, below) =>
      below ? people(departments) : sql`(${people(departments)} and dept_ids && ${[...departments]}::bigint[])`,
  })
  return scope && sql`${id} in (select id from account where ${scope})`
}

/** The same over `account a`, as the lists of `user.repo.ts` take it. */
export const listedUserScope = (session: Session | undefined): RawBuilder<unknown> | undefined => userScope(session, sql`a.id`)

/** These departments, and with `below` all under them. */
const reached = (departments: readonly string[], below: boolean): RawBuilder<unknown> =>
  below
    ? sql`(select d.id from dept d where not d.is_deleted and (d.id = any(${[...departments]}::bigint[]) or d.ancestor_ids && ${[...departments]}::bigint[]))`
    : sql`(select unnest(${[...departments]}::bigint[]))`

/** Departments that the reader's data scopes leave, as a condition on a department's `id`; undefined when they leave all. */
export const deptScope = (session: Session | undefined, id: RawBuilder<unknown>): RawBuilder<unknown> | undefined => {
  const scope = rowScopeOf(session, { ...scopedDept, inDepartments: (departments, below) => sql`id in ${reached(departments, below)}` })
  return scope && sql`${id} in (select id from dept where ${scope})`
}
