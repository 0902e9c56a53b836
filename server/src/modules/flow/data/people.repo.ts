import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, likeText, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Active members of staff, who alone get tasks. */
const active = sql`a.user_type = 1 and a.status = 1 and not a.is_deleted`

export interface Named {
  readonly kind: 'user' | 'role' | 'post' | 'dept'
  readonly ref: string
}
/** Whom these name, at most `limit`. */
export const membersOf = async (db: TenantDb, named: readonly Named[], limit: number): Promise<string[]> => {
  const of = (kind: Named['kind']): string[] => named.filter(one => one.kind === kind).map(({ ref }) => ref)
  const ids = (kind: Named['kind']): string[] => of(kind).filter(ref => /^\d{1,18}$/.test(ref))
  const sources = [
    sql`select unnest(${ids('user')}::bigint[])`,
    sql`select h.user_id from account_role h join role r on r.tenant_id = h.tenant_id and r.id = h.role_id
      where not r.is_deleted and (r.role_alias = any(${of('role')}::text[]) or r.id = any(${ids('role')}::bigint[]))`,
    sql`select k.user_id from account_dept k join account p on p.tenant_id = k.tenant_id and p.id = k.user_id
      where k.dept_id = any(${ids('dept')}::bigint[]) and p.dept_ids && ${ids('dept')}::bigint[]`,
    // Nothing finds the holders of a post but their accounts, so these are read where a post is named alone.
    ...(of('post').length === 0 ? [] : [sql`select p.id from account p where string_to_array(p.post_id, ',') && ${of('post')}::text[]`]),
  ]
  const rows = await db.all(sql<{ id: string }>`
    select a.id::text as id from account a where ${active} and a.id in (${sql.join(sources, sql` union `)}) order by a.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
/** What the applicant's account says about who comes next. */
export const starterFacts = (db: TenantDb, userId: string): Promise<{ depts: string[]; leaders: string[] } | undefined> =>
  db.maybe(sql<{ depts: string[]; leaders: string[] }>`
    select coalesce(dept_ids::text[], '{}') as depts, coalesce(string_to_array(nullif(leader_id, ''), ','), '{}') as leaders from account where id = ${userId}`)
export const nameOf = async (db: TenantDb, userId: string | null): Promise<string> =>
  userId === null ? '' : ((await db.maybe(sql<{ name: string }>`select real_name as name from account where id = ${userId}`))?.name ?? '')

/** What a candidate row has to name for this person to claim its task. */
export const candidateFor = (db: TenantDb, roles: readonly string[]): RawBuilder<unknown> => sql`
  (k.kind = 'user' and k.ref = ${db.actor.userId}
    or k.kind = 'role' and k.ref = any(${[...roles]}::text[])
    or k.kind = 'post' and k.ref = any((select string_to_array(p.post_id, ',') from account p where p.id = ${db.actor.userId})::text[])
    or k.kind = 'dept' and k.ref = any((select p.dept_ids::text[] from account p where p.id = ${db.actor.userId})::text[]))`

/** `scope` is what the reader's data scopes leave of accounts. */
export const listPeople = (
  db: TenantDb,
  keyword: string | undefined,
  ids: readonly string[] | undefined,
  scope: RawBuilder<unknown> | undefined,
  limit: number,
) =>
  db.all(sql<{ id: string; account: string; realName: string; deptName: string }>`
    select a.id::text as id, a.account, a.real_name as "realName",
      coalesce((select string_agg(d.dept_name, ',' order by d.id) from dept d where d.id = any(a.dept_ids) and not d.is_deleted), '') as "deptName"
    from account a where ${allOf([
      active,
      keyword !== undefined && keyword !== '' && sql`(a.real_name like ${likeText(keyword)} or a.account like ${likeText(keyword)})`,
      scope,
      ids && sql`a.id = any(${[...ids]}::bigint[])`,
    ])} order by a.real_name, a.id limit ${limit}`)
