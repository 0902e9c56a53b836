import { scopedDept, scopedUser } from '#contract/access/data-scope.ts'
import { userCode } from '#contract/exam/exam.resources.ts'
import { post } from '#contract/organisation/post.resource.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
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

/** Departments from which what somebody reaches follows, by a rule or by their role; undefined when none does. */
const reachOf = (session: Session | undefined): readonly string[] | undefined => {
  if (!session) return undefined
  const isByDepartment = session.rowRules.some(
    ({ type, resource }) => (type === 3 || type === 4) && !session.wideResources.includes(resource),
  )
  return session.departments ?? (isByDepartment ? (session.deptId ?? '').split(',').filter(Boolean) : undefined)
}
/** Whether it is their departments that narrow what somebody reaches. */
export const isReachedByDepartment = (session: Session | undefined): boolean => reachOf(session) !== undefined

/** What a writer may name in an account, as conditions on the rows of each table. */
export interface PlaceScope {
  readonly dept: RawBuilder<unknown>
  readonly post: RawBuilder<unknown>
  readonly userCode: RawBuilder<unknown>
}
/**
 * Where a person works decides what they reach, so nobody puts others where they do not reach themselves: what their scopes leave, and of that, if
 * departments narrow them, their own and those below; who is narrowed by codes gives only their own.
 */
export const placeScope = (session: Session | undefined, isKeeper: boolean): PlaceScope => {
  const departments = reachOf(session)
  const codes = isKeeper ? [] : (session?.userCodes ?? [])
  return {
    dept: allOf([deptScope(session, sql`id`), departments && sql`id in ${reached(departments, true)}`]),
    post: rowScopeOf(session, post) ?? sql`true`,
    userCode: allOf([rowScopeOf(session, userCode), codes.length > 0 && sql`code = any(${[...codes]})`]),
  }
}
