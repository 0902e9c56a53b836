import type { RestorationState } from '#contract/selection/selection.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface RestorationRow {
  readonly id: string
  readonly state: RestorationState
  readonly reason: string
  readonly byName: string
  readonly createdAt: Date
  readonly decision: string | null
  readonly decidedName: string | null
  readonly decidedAt: Date | null
}
export const listRestorations = (db: TenantDb, signupId: string): Promise<RestorationRow[]> =>
  db.all(sql<RestorationRow>`
    select id::text as id, state, reason, proposed_name as "byName", created_at as "createdAt", decision, decided_name as "decidedName", decided_at as "decidedAt"
    from selection_restoration where signup_id = ${signupId} order by id desc`)

export interface Proposal {
  readonly id: string
  readonly signupId: string
  readonly examId: string
  readonly state: RestorationState
  readonly proposedById: string
}
export const findProposal = (db: TenantDb, id: string): Promise<Proposal | undefined> =>
  db.maybe(sql<Proposal>`
    select id::text as id, signup_id::text as "signupId", exam_id::text as "examId", state, created_by::text as "proposedById"
    from selection_restoration where id = ${id}`)

export const insertProposal = async (
  db: TenantDb,
  of: { readonly examId: string; readonly signupId: string; readonly reason: string; readonly byName: string },
): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into selection_restoration (tenant_id, exam_id, signup_id, reason, proposed_name, created_by)
      values (${db.actor.tenantId}, ${of.examId}, ${of.signupId}, ${of.reason}, ${of.byName}, ${db.actor.userId}) returning id::text as id`)
  ).id
