import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What somebody has to do themselves from the re-review on. */
export interface OwnStep {
  /** `hearing`: may answer to a proposal to disqualify. */
  readonly kind: 'answer' | 'papers' | 'recheck' | 'hearing'
  readonly stage: number
  /** Null where no end is set, or where it passed and the place is kept. */
  readonly until: Date | null
}

/** The step that waits for each of these sign-ups; of whom nothing is asked is not among them. */
export const waitingSteps = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlyMap<string, OwnStep>> => {
  const rows = await db.all(sql<OwnStep & { id: string }>`
    select p.signup_id::text as id, k.kind, coalesce(c.stage, s.stage) as stage,
      case k.kind when 'answer' then case when c.unproven_told then null else c.deadline end when 'recheck' then p.step_until end as until
    from selection_person p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
      left join selection_call c on c.tenant_id = p.tenant_id and c.signup_id = p.signup_id and c.state = 'waiting' and (c.unproven_told or c.deadline > app_now())
      cross join lateral (select case when c.id is not null then 'answer' when s.review_state = 5 then 'papers'
        when p.step = 'failing' and p.step_until > app_now() then 'recheck' end as kind) k
    where p.signup_id = any(${[...signupIds]}::bigint[]) and k.kind is not null`)
  const hearings = await db.all(sql<OwnStep & { id: string }>`
    select d.signup_id::text as id, 'hearing' as kind, s.stage, d.answer_until as until
    from selection_disqualification d join signup s on s.tenant_id = d.tenant_id and s.id = d.signup_id
    where d.signup_id = any(${[...signupIds]}::bigint[]) and d.state = 'proposed' and d.statement is null and d.answer_until > app_now()`)
  // What may end the sign-up comes before all else.
  return new Map([...rows, ...hearings].map(({ id, ...step }) => [id, step]))
}
