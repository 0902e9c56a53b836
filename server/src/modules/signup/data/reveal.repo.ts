import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What one person has revealed since an instant: full numbers seen, refusals kept, and when the first of those seen was. */
export interface Revealed {
  readonly seen: number
  readonly blocked: number
  readonly oldest: Date | null
}
export const countRevealed = (db: TenantDb, viewerId: string, since: Date): Promise<Revealed> =>
  db.one(sql<Revealed>`
    select count(*) filter (where not is_blocked)::int as seen, count(*) filter (where is_blocked)::int as blocked,
      min(created_at) filter (where not is_blocked) as oldest
    from reveal_log where viewer_id = ${viewerId} and created_at > ${since}`)

export const insertReveal = async (
  db: TenantDb,
  line: {
    readonly viewerId: string
    readonly viewerName: string
    readonly signupId: string
    readonly ownerId: string
    readonly field: string
    readonly purpose: number
    readonly isBlocked: boolean
  },
): Promise<void> => {
  await db.run(sql`
    insert into reveal_log (tenant_id, viewer_id, viewer_name, signup_id, owner_id, field, purpose, is_blocked)
    values (${db.actor.tenantId}, ${line.viewerId}, ${line.viewerName}, ${line.signupId}, ${line.ownerId}, ${line.field}, ${line.purpose}, ${line.isBlocked})`)
}
