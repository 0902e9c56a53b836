import type { Facts } from '#contract/signup/fit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface KeptFacts {
  readonly facts: Facts
  readonly updatedAt: Date
}
export const findFacts = (db: TenantDb, userId: string): Promise<KeptFacts | undefined> =>
  db.maybe(sql<KeptFacts>`select facts, updated_at as "updatedAt" from person_fact where user_id = ${userId}`)

export const keepFacts = async (db: TenantDb, userId: string, facts: Facts): Promise<void> => {
  await db.run(sql`
    insert into person_fact (tenant_id, user_id, facts) values (${db.actor.tenantId}, ${userId}, ${JSON.stringify(facts)}::jsonb)
    on conflict (tenant_id, user_id) do update set facts = excluded.facts, updated_at = app_now()`)
}

/** What a review of the person's newest sign-up that passed has looked at, and when. */
export const findReviewed = (
  db: TenantDb,
  userId: string,
): Promise<{ content: Readonly<Record<string, unknown>>; passedAt: Date | null } | undefined> =>
  db.maybe(sql<{ content: Readonly<Record<string, unknown>>; passedAt: Date | null }>`
    select content, examine_time as "passedAt" from signup
    where user_id = ${userId} and examine = 'passed' and not is_deleted order by examine_time desc nulls last limit 1`)
