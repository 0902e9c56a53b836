import { holdsPlace } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

const holding = Object.entries(holdsPlace).flatMap(([state, holds]) => (holds ? [state] : []))

/**
 * Posts of open examinations whose counter is not what their sign-ups say, as far as can be told without holding anybody up. All are counted in one
 * reading of `signup_unit_ix`, which leaves drafts out; post by post a million rows were read for it every five minutes.
 */
export const listDoubtfulPosts = async (db: TenantDb): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with taken as (
        select s.exam_id, s.code, count(*)::int as held from signup s
        join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id and e.state = 'released' and not e.is_deleted
        where s.examine = any(${holding}) and s.examine <> 'draft' and not s.is_deleted group by s.exam_id, s.code)
      select p.id::text as id from type_code p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
      left join taken t on t.exam_id = p.exam_id and t.code = p.code
      where e.state = 'released' and not e.is_deleted and not p.is_deleted and p.used_sign <> coalesce(t.held, 0) order by p.id`)
  ).map(row => row.id)

export interface PlacesRow {
  readonly id: string
  readonly examId: string
  readonly code: string
  readonly codeName: string
  readonly maxSign: number
  readonly used: number
}
/** Whoever takes or gives back a place of the post waits: what is counted behind this stands. */
export const lockPlaces = (db: TenantDb, id: string): Promise<PlacesRow | undefined> =>
  db.maybe(sql<PlacesRow>`
    select id::text as id, exam_id::text as "examId", code, code_name as "codeName", max_sign as "maxSign", used_sign as used
    from type_code where id = ${id} and not is_deleted for update`)
export const countHeld = async (db: TenantDb, id: string): Promise<number> =>
  (
    await db.one(sql<{ held: number }>`
      select (select count(*)::int from signup s where s.tenant_id = p.tenant_id and s.exam_id = p.exam_id and s.code = p.code and s.examine = any(${holding})
        and not s.is_deleted) as held from type_code p where p.id = ${id}`)
  ).held
export const storePlaces = async (db: TenantDb, id: string, used: number): Promise<void> => {
  await db.run(sql`update type_code set used_sign = ${used} where id = ${id}`)
}
