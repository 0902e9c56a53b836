import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, initialsHold } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

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
  if (named.length === 0) return []
  const sources = [
    of('user').length > 0 && sql`select unnest(${ids('user')}::bigint[])`,
    of('role').length > 0 &&
      sql`select h.user_id from account_role h join role r on r.tenant_id = h.tenant_id and r.id = h.role_id
      where not r.is_deleted and (r.role_alias = any(${of('role')}::text[]) or r.id = any(${ids('role')}::bigint[]))`,
    of('dept').length > 0 &&
      sql`select k.user_id from account_dept k join account p on p.tenant_id = k.tenant_id and p.id = k.user_id
      where k.dept_id = any(${ids('dept')}::bigint[]) and p.dept_ids && ${ids('dept')}::bigint[]`,
    of('post').length > 0 && sql`select p.id from account p where string_to_array(p.post_id, ',') && ${of('post')}::text[]`,
  ].filter(source => source !== false)
  const rows = await db.all(sql<{ id: string }>`
    select a.id::text as id from account a where ${active} and a.id in (${sql.join(sources, sql` union `)}) order by a.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
/** Active members of staff with one of these roles. */
export const firstActive = (db: TenantDb, aliases: readonly string[]): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    select a.id::text as id, a.real_name as name from account a where ${active} and exists (
      select 1 from account_role k join role r on r.tenant_id = k.tenant_id and r.id = k.role_id and not r.is_deleted
      where k.tenant_id = a.tenant_id and k.user_id = a.id and r.role_alias = any(${[...aliases]})) order by a.id limit 5`)
export const deptsOf = async (db: TenantDb, userId: string): Promise<string[]> =>
  (await db.maybe(sql<{ depts: string[] }>`select coalesce(dept_ids::text[], '{}') as depts from account where id = ${userId}`))?.depts ??
  []
/** Whom somebody answers to: their superior on record, else the leader of their department, else of the nearest one above it that has one. */
export const superiorOf = async (db: TenantDb, userId: string): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      select a.id::text as id from account s cross join lateral (
        select l.id, 0 as distance, l.place from unnest(string_to_array(nullif(s.leader_id, ''), ',')::bigint[]) with ordinality as l(id, place)
        union all
        select l.id, 1 + coalesce(cardinality(own.ancestor_ids) + 1 - array_position(own.ancestor_ids, d.id), 0), l.place
        from dept own join dept d on d.tenant_id = own.tenant_id and not d.is_deleted and d.id = any(own.ancestor_ids || own.id),
          unnest(string_to_array(nullif(d.leader_id, ''), ',')::bigint[]) with ordinality as l(id, place)
        where own.tenant_id = s.tenant_id and own.id = any(s.dept_ids) and not own.is_deleted) c
      join account a on a.tenant_id = s.tenant_id and a.id = c.id
      where s.id = ${userId} and a.id <> s.id and ${active} order by c.distance, c.place, a.id limit 1`)
  )?.id
/** What roles, posts, departments and people are called, in the order in which they were named. */
export const namesOf = async (
  db: TenantDb,
  named: readonly Named[],
): Promise<readonly { readonly kind: Named['kind']; readonly name: Label }[]> => {
  const rows = await db.all(sql<{ at: number; zh: string; en: string }>`
    select n.at::int as at, coalesce(r.role_name, p.post_name, d.dept_name, a.real_name, n.ref) as zh,
      coalesce(nullif(r.role_name_en, ''), r.role_name, p.post_name, d.dept_name, a.real_name, n.ref) as en
    from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ ref }) => ref)}::text[]) with ordinality as n(kind, ref, at)
    left join role r on n.kind = 'role' and not r.is_deleted and n.ref in (r.role_alias, r.id::text) left join post p on n.kind = 'post' and n.ref = p.id::text
    left join dept d on n.kind = 'dept' and n.ref = d.id::text left join account a on n.kind = 'user' and n.ref = a.id::text
    order by n.at`)
  return rows.map(({ at, zh, en }) => ({ kind: named[at - 1]?.kind ?? 'user', name: { zh, en } }))
}
export const nameOf = async (db: TenantDb, userId: string | null): Promise<string> =>
  userId === null ? '' : ((await db.maybe(sql<{ name: string }>`select real_name as name from account where id = ${userId}`))?.name ?? '')

/** What a candidate row has to name for this person to claim its task. */
export const candidateFor = (db: TenantDb, roles: readonly string[]): RawBuilder<unknown> => sql`
  (k.kind = 'user' and k.ref = ${db.actor.userId}
    or k.kind = 'role' and k.ref = any(${[...roles]}::text[])
    or k.kind = 'post' and k.ref = any((select string_to_array(p.post_id, ',') from account p where p.id = ${db.actor.userId})::text[])
    or k.kind = 'dept' and k.ref = any((select p.dept_ids::text[] from account p where p.id = ${db.actor.userId})::text[]))`

/** Whether the caller is one of these, however they are named. */
export const isNamed = async (db: TenantDb, named: readonly Named[], roles: readonly string[]): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ ref }) => ref)}::text[]) as k(kind, ref) where ${candidateFor(db, roles)} limit 1`)) !==
  undefined

/** Found by name, initials of the name, account or department; `scope` is what the reader's data scopes leave of accounts. */
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
      keyword !== undefined &&
        keyword !== '' &&
        sql`(${codeHolds(sql`a.account`, keyword)} or ${initialsHold(sql`a.real_name`, keyword)} or exists (
          select 1 from dept d where d.id = any(a.dept_ids) and not d.is_deleted and ${initialsHold(sql`d.dept_name`, keyword)}))`,
      scope,
      ids && sql`a.id = any(${[...ids]}::bigint[])`,
    ])} order by a.real_name, a.id limit ${limit}`)
