import { sql } from '#kernel/db/sql.ts'
import type { Holding } from '#kernel/holding.ts'

/** `leader_id` of departments and of people: ids with commas between them. */
const without = (from: string, to: string | undefined) => sql`
  (select string_agg(l.id, ',' order by l.place) from (
    select id, min(place) as place from (
      select id, place from unnest(string_to_array(leader_id, ',')) with ordinality as o(id, place) where id <> ${from}
      union all select ${to ?? null}::text, 1000) all_of where id is not null group by id) l)`

export const organisationHoldings: readonly Holding[] = [
  {
    name: 'organisation.heads',
    label: { zh: '部门负责人', en: 'Head of departments' },
    columns: ['dept.leader_id'],
    pool: { zh: '不再是负责人', en: 'No longer its head' },
    rows: () => sql`
      select l.id::bigint as holder, d.id::text as id, d.dept_name as name, 1 as count, null::text as needs, d.id as dept, null::bigint as reach
      from dept d cross join lateral unnest(string_to_array(nullif(d.leader_id, ''), ',')) l(id)
      where d.tenant_id = app_tenant() and not d.is_deleted and l.id ~ '^[0-9]{1,18}$'`,
    letGo: async ({ db, ids, from, to }) => {
      await db.run(sql`
        update dept set leader_id = coalesce(${without(from.id, to?.id)}, ''), updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
        where id = any(${[...ids]}::bigint[])`)
    },
  },
  {
    name: 'organisation.superiors',
    label: { zh: '他人的上级', en: 'Superior of other people' },
    columns: ['account.leader_id'],
    pool: { zh: '按部门负责人办理', en: 'The head of their department instead' },
    rows: () => sql`
      select l.id::bigint as holder, s.id::text as id, s.real_name as name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from account s cross join lateral unnest(string_to_array(nullif(s.leader_id, ''), ',')) l(id)
      where s.tenant_id = app_tenant() and not s.is_deleted and l.id ~ '^[0-9]{1,18}$' and l.id <> s.id::text`,
    letGo: async ({ db, ids, from, to }) => {
      // Nobody becomes their own superior.
      await db.run(sql`
        update account set leader_id = ${without(from.id, to?.id)}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
        where id = any(${[...ids]}::bigint[]) and id is distinct from ${to?.id ?? null}::bigint`)
      await db.run(sql`
        update account set leader_id = ${without(from.id, undefined)}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
        where id = any(${[...ids]}::bigint[]) and id = ${to?.id ?? null}::bigint`)
    },
  },
]
